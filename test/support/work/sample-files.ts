import { fileURLToPath } from "node:url";
import { encodeXML } from "entities";
import { makeDocx, paragraph, wordPart } from "../../extract/made-documents.ts";

/** A text with a title and a heading before every few paragraphs. */
export type SampleText = { readonly title: string; readonly paragraphs: readonly string[] };

const HEADINGS = ["Introduction", "Sources and method", "Findings", "Discussion", "Conclusion"];

/** Paragraphs below a heading. */
const SECTION = 3;

/** The fonts of the PDF reports, which `npm run build:pages` puts there. */
const FONTS = fileURLToPath(new URL("../../../dist/pages/pdf/fonts", import.meta.url));

/** A paper as PDF: two justified columns, hyphenated, with a header and page numbers. */
export async function makePaper(text: SampleText): Promise<Buffer> {
  const { NodeCompiler } = await import("@myriaddreamin/typst-ts-node-compiler");
  const compiler = NodeCompiler.create({ fontArgs: [{ fontPaths: [FONTS] }] });
  return compiler.pdf({
    mainFileContent: `
#set page(paper: "a4", columns: 2, numbering: "1", header: align(right, text(8pt)[Everyday Studies, Volume 12]))
#set text(font: "Liberation Sans", size: 9.5pt, hyphenate: true, lang: "en")
#set par(justify: true, leading: 0.6em)
#place(top + center, scope: "parent", float: true, clearance: 2em, text(18pt, weight: "bold", ${JSON.stringify(text.title)}))
${parts(text)
  .map(({ heading, content }) =>
    heading === undefined ? `#par(${JSON.stringify(content)})` : `#heading(${JSON.stringify(heading)})`,
  )
  .join("\n")}`,
  });
}

/** An essay as a Word document with headings and a table. */
export function makeEssay(text: SampleText): Buffer {
  const heading = (level: number, content: string) =>
    `<w:p><w:pPr><w:pStyle w:val="Heading${level}"/></w:pPr><w:r><w:t>${encodeXML(content)}</w:t></w:r></w:p>`;
  const cell = (content: string) => `<w:tc>${paragraph(content)}</w:tc>`;
  const rows = [
    ["Account", "Written", "Agrees with"],
    ["The chronicle", "1861", "no other"],
    ["The letters", "1874", "the chronicle, in part"],
  ];
  const style = (level: number) =>
    `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`;
  return makeDocx({
    body: [
      heading(1, text.title),
      ...parts(text).map(({ heading: of, content }) =>
        of === undefined ? paragraph(encodeXML(content ?? "")) : heading(2, of),
      ),
      `<w:tbl>${rows.map((row) => `<w:tr>${row.map(cell).join("")}</w:tr>`).join("")}</w:tbl>`,
    ].join(""),
    related: [{ type: "styles", name: "styles.xml", content: wordPart("styles", style(1) + style(2)) }],
  });
}

function parts({ paragraphs }: SampleText) {
  return paragraphs.flatMap((content, index): { heading?: string | undefined; content?: string }[] =>
    index % SECTION === 0
      ? [{ heading: HEADINGS[(index / SECTION) % HEADINGS.length] }, { content }]
      : [{ content }],
  );
}
