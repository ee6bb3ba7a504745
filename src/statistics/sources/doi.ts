/** A registrant's prefix, and a suffix without white space; the handbook allows any other character in it. */
const DOI = /^10\.\d{4,9}(?:\.\d+)*\/\S+$/;

/** What stands before the DOI itself in links and citations. */
const PREFIX = /^(?:(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\/|doi:\s*)/;

/** Entities in files that were taken from web pages: old DOIs hold angle brackets. */
const ENTITIES = [
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
] as const;

/**
 * The one form of a DOI by which sources are joined: without resolver, decoded, in lower case (DOIs are compared without
 * regard to case). Undefined when there is none, as in `unavailable`.
 */
export function normaliseDoi(written: string): string | undefined {
  let doi = written.trim().toLowerCase();
  for (const [entity, character] of ENTITIES) doi = doi.replaceAll(entity, character);
  doi = percentDecoded(doi).toLowerCase().replace(PREFIX, "").trim();
  return DOI.test(doi) ? doi : undefined;
}

/** A DOI may hold a percent sign of its own; then it is no valid encoding, and stays as it is. */
function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
