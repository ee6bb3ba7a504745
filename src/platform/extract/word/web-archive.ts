import { decodeHtml } from "./html-text.ts";

/**
 * Takes the page out of a web archive (MHTML, RFC 2557), in which several programs that make Word documents of web
 * pages put it; `undefined` when there is no page inside. Pictures and other parts are left out.
 */
export function readWebArchive(bytes: Uint8Array): string | undefined {
  return findPage(Buffer.from(bytes).toString("latin1"), NESTED_MAX);
}

/** A page stands in a list of parts, or in a list of alternatives in it. */
const NESTED_MAX = 3;

function findPage(message: string, nestedMax: number): string | undefined {
  const { header, body } = split(message);
  const type = field(header, "content-type");
  const boundary = parameter(type, "boundary");
  if (boundary === undefined) {
    if (!/^text\/html|^application\/xhtml\+xml/i.test(type)) return undefined;
    return decodeHtml(
      decodeBody(body, field(header, "content-transfer-encoding")),
      parameter(type, "charset"),
    );
  }
  if (nestedMax === 0) return undefined;
  for (const part of body.split(`--${boundary}`).slice(1)) {
    const page = findPage(part.replace(/^\r?\n/, ""), nestedMax - 1);
    if (page !== undefined) return page;
  }
  return undefined;
}

/** A blank line ends the header, in which lines that begin with white space continue the one before. */
function split(message: string): { readonly header: string; readonly body: string } {
  const end = /\r?\n\r?\n/.exec(message);
  if (end === null) return { header: "", body: "" };
  return {
    header: message.slice(0, end.index).replace(/\r?\n[ \t]+/g, " "),
    body: message.slice(end.index + end[0].length),
  };
}

function field(header: string, name: string): string {
  return new RegExp(`^${name}:[ \\t]*(.*)$`, "im").exec(header)?.[1]?.trim() ?? "";
}

function parameter(value: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s;]+))`, "i").exec(value);
  return found?.[1] ?? found?.[2];
}

function decodeBody(body: string, encoding: string): Buffer {
  switch (encoding.toLowerCase()) {
    case "base64":
      return Buffer.from(body, "base64");
    case "quoted-printable":
      return Buffer.from(
        body
          .replace(/=[ \t]*\r?\n/g, "")
          .replace(/=([\da-f]{2})/gi, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
        "latin1",
      );
    default:
      return Buffer.from(body, "latin1");
  }
}
