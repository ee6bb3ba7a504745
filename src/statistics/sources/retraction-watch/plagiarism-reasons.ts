/**
 * The reasons that count, in the words of the file of 2025 and of older ones. Neighbours that are left out on purpose: duplication (of
 * one's own work, too), `Taken from Dissertation/Thesis` and its like, concerns about referencing, copyright claims.
 */
const CORE_REASONS: ReadonlySet<string> = new Set([
  "plagiarism of article",
  "plagiarism of/in article",
  "plagiarism of text",
  "plagiarism of image",
  "plagiarism of data",
  "euphemisms for plagiarism",
]);

/** Whether a list of reasons, as Retraction Watch writes it, holds one that says plagiarism. */
export function hasPlagiarismReason(reasons: string): boolean {
  return listItems(reasons).some((reason) => CORE_REASONS.has(reason.replace(/^\+\s*/, "").toLowerCase()));
}

/** The items of a list that is separated, and perhaps ended, by semicolons. */
export function listItems(list: string): string[] {
  return list
    .split(";")
    .map((item) => item.trim().replaceAll(/\s+/g, " "))
    .filter((item) => item !== "");
}
