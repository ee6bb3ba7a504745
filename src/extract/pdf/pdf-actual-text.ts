/** A token of a content stream: a string, the beginning or end of a dictionary, a name, or a number or operator. */
const TOKEN = /%[^\r\n]*|\(|<<|>>|<[\s0-9A-Fa-f]*>|\/[^\s()<>[\]{}/%]*|[[\]{}]|[^\s()<>[\]{}/%]+/gy;

/**
 * The texts that a page states for parts of itself (`ActualText`), by the number of their marked content: from 1 in the order of the page, without
 * optional content. Those of the structure tree are not found.
 * @param content as Latin 1 @param properties the property list of a name in the page's resources; called once for each name @see ISO 32000-1, 14.9.4
 */
export function actualTexts(
  content: string,
  properties: (name: string) => string = () => "",
): Map<number, string> {
  const texts = new Map<number, string>();
  const named = new Map<string, string | undefined>();
  let operands: string[] = [];
  let marks = 0;
  for (const token of tokensOf(content)) {
    if (token !== "BMC" && token !== "BDC") {
      if (isOperator(token)) operands = [];
      else operands.push(token);
      continue;
    }
    const [tag, name = ""] = operands;
    if (tag !== "/OC") {
      marks++;
      const isNamed = name.startsWith("/");
      if (isNamed && !named.has(name)) named.set(name, actualTextIn(tokensOf(properties(name.slice(1)))));
      const text = isNamed ? named.get(name) : actualTextIn(operands);
      if (text !== undefined) texts.set(marks, text);
    }
    operands = [];
  }
  return texts;
}

function actualTextIn(tokens: Iterable<string>): string | undefined {
  const [token] = entriesOf(tokens).get("/ActualText") ?? [];
  return token === undefined ? undefined : textOf(token);
}

/** The tokens of each value of the first dictionary among `tokens`, by its key. */
export function entriesOf(tokens: Iterable<string>): Map<string, string[]> {
  const entries = new Map<string, string[]>();
  let depth = 0;
  let value: string[] | undefined;
  for (const token of tokens) {
    if (depth > 0 && (token === ">>" || token === "]")) depth--;
    if (depth === 0) {
      if (token === ">>") break;
      if (token === "<<") depth++;
      continue;
    }
    if (depth === 1 && token.startsWith("/") && value?.length !== 0) {
      value = [];
      entries.set(token, value);
    } else value?.push(token);
    if (token === "<<" || token === "[") depth++;
  }
  return entries;
}

/** Whether a token of a content stream is an operator, and no operand. */
export function isOperator(token: string): boolean {
  return /^[A-Za-z'"]/.test(token) && !/^(?:true|false|null)$/.test(token);
}

/** The tokens of a content stream; the bytes of inline pictures are left out. @param content as Latin 1 */
export function* tokensOf(content: string): Generator<string> {
  for (let at = 0; at < content.length; ) {
    TOKEN.lastIndex = at;
    const [token] = TOKEN.exec(content) ?? [];
    if (token === undefined) {
      at++;
      continue;
    }
    at += token.length;
    if (token === "(") {
      const end = stringEnd(content, at);
      yield content.slice(at - 1, end);
      at = end;
    } else if (token === "ID") {
      // The bytes of a picture.
      const end = /\sEI(?=\s|$)/g;
      end.lastIndex = at;
      at = end.exec(content) === null ? content.length : end.lastIndex;
    } else if (!token.startsWith("%")) yield token;
  }
}

/** The offset behind the parenthesis that closes a string. @param from behind the opening one */
function stringEnd(content: string, from: number): number {
  let depth = 1;
  let at = from;
  for (; at < content.length && depth > 0; at++) {
    const char = content[at];
    if (char === "\\") at++;
    else if (char === "(") depth++;
    else if (char === ")") depth--;
  }
  return at;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** The byte-order marks of strings, with their encodings; the last one is not standard. */
const MARKS = [
  [Buffer.from([0xfe, 0xff]), "utf-16be"],
  [Buffer.from([0xef, 0xbb, 0xbf]), "utf-8"],
  [Buffer.from([0xff, 0xfe]), "utf-16le"],
] as const;

/** @see ISO 32000-2, 7.3.4 and 7.9.2.2 */
function textOf(token: string): string {
  const bytes = token.startsWith("<")
    ? Buffer.from(token.replaceAll(/[^0-9A-Fa-f]/g, ""), "hex")
    : Buffer.from(
        token.slice(1, -1).replaceAll(/\\(?:([0-7]{1,3})|([\s\S]))/g, (_, octal: string, char: string) => {
          if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
          return ESCAPES[char] ?? char;
        }),
        "latin1",
      );
  const label = MARKS.find(([mark]) => bytes.subarray(0, mark.length).equals(mark))?.[1];
  return label === undefined ? bytes.toString("latin1") : new TextDecoder(label).decode(bytes);
}
