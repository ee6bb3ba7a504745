import type { WordPackage } from "./word-package.ts";
import { unescapeXml } from "./word-xml.ts";

const USUAL_PART = "docProps/core.xml";

/** The title and the author in a document's core properties (ISO/IEC 29500-2, 8). They are no reason to refuse a document. */
export async function readWordProperties(
  archive: WordPackage,
): Promise<{ readonly title: string | undefined; readonly author: string | undefined }> {
  try {
    const related = await archive.relationships("");
    const part = related.find(({ type }) => type === "core-properties")?.part ?? USUAL_PART;
    const xml = (await archive.readXml(part)) ?? "";
    return { title: textIn(xml, TITLE), author: textIn(xml, CREATOR) };
  } catch {
    return { title: undefined, author: undefined };
  }
}

const TITLE = /<(?:[\w.-]{1,20}:)?title(?:\s[^<>]*)?>([^<]*)</;
const CREATOR = /<(?:[\w.-]{1,20}:)?creator(?:\s[^<>]*)?>([^<]*)</;

function textIn(xml: string, element: RegExp): string | undefined {
  const [, text] = element.exec(xml) ?? [];
  return text === undefined ? undefined : unescapeXml(text);
}
