/** Control characters stand in no JSON string as they are; between the values, white space does as well. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f]/g;

/** A backslash with what it escapes; the second alternative is no escape of JSON's. */
const ESCAPES = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g;

/**
 * Parses JSON that may hold raw control characters and backslashes that escape nothing, as GDELT's answers do when a page's
 * title has them. @throws SyntaxError for what is still no JSON.
 */
export function repairedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const spaced = text.replaceAll(CONTROL_CHARACTERS, " ");
    return JSON.parse(spaced.replaceAll(ESCAPES, (found) => (found === "\\" ? "\\\\" : found)));
  }
}
