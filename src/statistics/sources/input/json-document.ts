import { errorMessage } from "../../../platform/error-code.ts";
import { refusedFile } from "./refused-file.ts";
import { type InspectedFile, type OnBytes, readText } from "./text-file.ts";

/** Most bytes of a file that is read whole. A wiki page has at most 2 MB, and three months of GDELT's pages about 20 MB. */
const DOCUMENT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The one JSON value of a file of up to 64 MiB; characters and escapes that are illegal in JSON are tolerated.
 * @throws DomainError `unreadable_file` when the file is larger, or no JSON.
 */
export async function readDocument(input: InspectedFile, onBytes: OnBytes): Promise<unknown> {
  const { file, bytes } = input;
  if (bytes > DOCUMENT_BYTES_MAX) {
    throw refusedFile(
      { file },
      `the file has ${Math.ceil(bytes / 1e6)} MB; more than 67 MB can't be such an answer.`,
    );
  }
  const text = (await Array.fromAsync(readText(input, onBytes))).join("");
  try {
    return repairedJson(text);
  } catch (error) {
    const reason = errorMessage(error);
    const line = lineOf(text, reason);
    throw refusedFile({ file, line }, `this is not valid JSON (${reason}).`, error);
  }
}

function lineOf(text: string, reason: string): number | undefined {
  const position = /at position (\d+)/.exec(reason)?.[1];
  return position === undefined ? undefined : text.slice(0, Number(position)).split("\n").length;
}

/** Illegal in JSON strings. Between values, a space can replace them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for them
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f]/g;

/** An escape of JSON, or a lone backslash. */
const ESCAPES = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\/g;

/**
 * Parses JSON that may contain raw control characters and backslashes that escape nothing, as GDELT's answers do when the
 * title of a page has them. @throws SyntaxError when the text is still no JSON.
 */
export function repairedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const spaced = text.replaceAll(CONTROL_CHARACTERS, " ");
    return JSON.parse(spaced.replaceAll(ESCAPES, (found) => (found === "\\" ? "\\\\" : found)));
  }
}
