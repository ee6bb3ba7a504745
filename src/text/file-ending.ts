/** The name of a text without the ending of a file, which a title often is. */
export function withoutFileEnding(title: string): string {
  return title.replace(/(?<=.)\.(?:pdf|docx|docm|dotx|txt|md)$/i, "");
}
