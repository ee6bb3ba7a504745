import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { encodeXML } from "entities";
import { DomainError } from "../../../src/platform/domain-error.ts";
import type { Manuscript, Paragraph } from "./manuscripts.ts";

/** How LibreOffice sets a manuscript. */
export type OfficeLayout = {
  readonly columns: number;
  readonly isJustified: boolean;
  readonly lineSpacing: number;
  /** Paragraphs begin with an indent instead of a space above. */
  readonly isIndented: boolean;
};

/**
 * Sets a manuscript as PDF, unless the folder has it already: hyphenated, with footnotes, a header and page numbers.
 * @returns the file.
 * @throws DomainError `invalid_input` when LibreOffice is missing.
 */
export async function makeOfficePdf(
  folder: string,
  name: string,
  layout: OfficeLayout,
  manuscript: Manuscript,
): Promise<string> {
  const [source, pdf] = [join(folder, `${name}.fodt`), join(folder, `${name}.pdf`)];
  const text = flatDocument(layout, manuscript);
  if (existsSync(pdf) && existsSync(source) && (await readFile(source, "utf8")) === text) return pdf;
  await mkdir(folder, { recursive: true });
  await rm(pdf, { force: true });
  await writeFile(source, text);
  try {
    const profile = `-env:UserInstallation=file://${join(folder, "office-profile")}`;
    await promisify(execFile)("soffice", ["--headless", profile, "--convert-to", "pdf", `${name}.fodt`], {
      cwd: folder,
    });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    throw new DomainError("invalid_input", `soffice is not installed. ${OFFICE_PACKAGES}`);
  }
  if (!existsSync(pdf)) {
    throw new DomainError("invalid_input", `soffice did not convert ${name}.fodt. ${OFFICE_PACKAGES}`);
  }
  return pdf;
}

const OFFICE_PACKAGES =
  "Debian's packages libreoffice-writer, hyphen-en-us and fonts-liberation have what it needs.";

const NAMESPACES = Object.entries({
  office: "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
  style: "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
  text: "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
  table: "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
  fo: "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
})
  .map(([prefix, name]) => `xmlns:${prefix}="${name}"`)
  .join(" ");

function flatDocument(
  { columns, isJustified, lineSpacing, isIndented }: OfficeLayout,
  { title, abstract, sections }: Manuscript,
): string {
  const body = sections.flatMap(({ heading, paragraphs }, at) => [
    `<text:h text:style-name="Heading" text:outline-level="1">${at + 1} ${encodeXML(heading)}</text:h>`,
    ...paragraphs.map((paragraph, number) => officeParagraph(paragraph, at * 100 + number)),
    ...(at % 3 === 1 ? [officeTable(at)] : []),
  ]);
  const align = isJustified ? "justify" : "start";
  const paragraph = `fo:text-align="${align}" fo:line-height="${100 * lineSpacing}%" ${isIndented ? 'fo:text-indent="0.5cm"' : 'fo:margin-bottom="0.25cm"'}`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${NAMESPACES} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
<office:styles>
<style:default-style style:family="paragraph"><style:text-properties style:font-name="Liberation Serif" fo:font-family="Liberation Serif" fo:font-size="11pt" fo:language="en" fo:country="US"/></style:default-style>
<style:style style:name="Body" style:family="paragraph"><style:paragraph-properties ${paragraph}/><style:text-properties fo:hyphenate="true" fo:hyphenation-remain-char-count="2" fo:hyphenation-push-char-count="2"/></style:style>
<style:style style:name="Heading" style:family="paragraph"><style:paragraph-properties fo:margin-top="0.5cm" fo:margin-bottom="0.3cm" fo:keep-with-next="always"/><style:text-properties fo:font-size="13pt" fo:font-weight="bold"/></style:style>
<style:style style:name="Title" style:family="paragraph"><style:paragraph-properties fo:text-align="center" fo:margin-bottom="1cm"/><style:text-properties fo:font-size="20pt"/></style:style>
<style:style style:name="Footnote" style:family="paragraph"><style:text-properties fo:font-size="9pt"/></style:style>
<text:notes-configuration text:note-class="footnote" style:num-format="1" text:start-value="0" text:footnotes-position="page" text:start-numbering-at="document"/>
</office:styles>
<office:automatic-styles>
<style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2cm"/><style:header-style><style:header-footer-properties fo:min-height="0.8cm" fo:margin-bottom="0.4cm"/></style:header-style><style:footer-style><style:header-footer-properties fo:min-height="0.8cm" fo:margin-top="0.4cm"/></style:footer-style></style:page-layout>
<style:style style:name="Columns" style:family="section"><style:section-properties><style:columns fo:column-count="${columns}" fo:column-gap="${columns > 1 ? "0.8cm" : "0cm"}"/></style:section-properties></style:style>
</office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="Page"><style:header><text:p>${encodeXML(title)}<text:tab/>Department of work</text:p></style:header><style:footer><text:p>Page <text:page-number/> of <text:page-count/></text:p></style:footer></style:master-page></office:master-styles>
<office:body><office:text>
<text:p text:style-name="Title">${encodeXML(title)}</text:p>
<text:p text:style-name="Body">${encodeXML(abstract)}</text:p>
<text:section text:style-name="Columns" text:name="Text">
${body.join("\n")}
</text:section>
</office:text></office:body></office:document>
`;
}

function officeParagraph({ text, footnote }: Paragraph, id: number): string {
  const words = text.split(" ");
  const middle = words.length >> 1;
  const note =
    footnote === undefined
      ? ""
      : `<text:note text:id="n${id}" text:note-class="footnote"><text:note-citation/><text:note-body><text:p text:style-name="Footnote">${encodeXML(footnote)}</text:p></text:note-body></text:note>`;
  const halves = [words.slice(0, middle), words.slice(middle)].map((half) => encodeXML(half.join(" ")));
  return `<text:p text:style-name="Body">${halves[0]}${note} ${halves[1]}</text:p>`;
}

function officeTable(number: number): string {
  const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
  const rows = Array.from(
    { length: 5 },
    (_, row) =>
      `<table:table-row>${cell(`North ${row}`)}${cell(String(row * number + 3))}${cell(String(row * 17))}</table:table-row>`,
  );
  return `<table:table table:name="T${number}"><table:table-column table:number-columns-repeated="3"/>${rows.join("")}</table:table>`;
}
