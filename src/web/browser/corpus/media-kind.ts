/** What people call the kinds of files that the corpus takes. */
export function mediaKind(mediaType: string): string {
  return KINDS[mediaType] ?? mediaType;
}

const KINDS: Readonly<Record<string, string>> = {
  "application/pdf": "PDF",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
  "text/plain": "Text",
  "text/markdown": "Markdown",
};
