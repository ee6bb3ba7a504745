import { uploadFilename } from "../http/input/upload.ts";

/**
 * The name of a file from a Content-Disposition. Clients encode it in five ways: percent-encoded or form-encoded between quotes,
 * as UTF-8 bytes, without quotes, or with the whole header form-encoded and the quotes of the name not escaped.
 * @returns `fallback` when there is none
 */
export function fileNameOf(header: string, fallback: string): string {
  const sent = fromUtf8(header);
  const isEncoded = !sent.includes(";") && /filename%3d/i.test(sent);
  const [, value = ""] = /filename\*?=(.*)$/is.exec(isEncoded ? decodeForm(sent) : sent) ?? [];
  const [, quoted] = /^\s*"(.*)"/s.exec(value) ?? [];
  const name = quoted ?? value.replace(/;.*$/s, "").trim();
  if (name === "") return uploadFilename(fallback);
  return uploadFilename(isEncoded ? name : decodeForm(name));
}

/** Node.js reads headers as Latin-1. */
function fromUtf8(header: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}

function decodeForm(text: string): string {
  return decodePercent(text.replaceAll("+", " "));
}

/** The text as it is where it is not percent-encoded. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
