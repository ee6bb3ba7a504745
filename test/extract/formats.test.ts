import { expect } from "chai";
import { extractText } from "../../src/extract/extract-text.ts";
import { BULK_MEDIA_TYPES, MEDIA_TYPES, type MediaType } from "../../src/extract/text/extracted-text.ts";
import { DomainError } from "../../src/platform/domain-error.ts";
import { makeZip } from "./made-documents.ts";

const OPTIONS = { accept: BULK_MEDIA_TYPES, textCharsMax: 1_000_000 };

async function read(bytes: Buffer | string, filename: string): Promise<[text: string, mediaType: MediaType]> {
  const { text, mediaType } = await extractText(Buffer.from(bytes), { ...OPTIONS, filename });
  return [text, mediaType];
}

async function refusal(
  bytes: Buffer | string,
  filename: string,
  accept: readonly MediaType[] = BULK_MEDIA_TYPES,
) {
  try {
    const { text } = await extractText(Buffer.from(bytes), { ...OPTIONS, accept, filename });
    return `no error, but the text ${JSON.stringify(text)}`;
  } catch (error) {
    if (error instanceof DomainError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

const OFFICE = "urn:oasis:names:tc:opendocument:xmlns";
const ODT = makeZip({
  mimetype: "application/vnd.oasis.opendocument.text",
  "content.xml": `<?xml version="1.0"?><office:document-content xmlns:office="${OFFICE}:office:1.0" xmlns:text="${OFFICE}:text:1.0" xmlns:table="${OFFICE}:table:1.0"><office:body><office:text><text:tracked-changes><text:changed-region><text:deletion><text:p>deleted</text:p></text:deletion></text:changed-region></text:tracked-changes><text:sequence-decls/><text:h text:outline-level="1">The   lamps</text:h><text:p>Oil<text:s text:c="2"/>burned<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Whale oil.</text:p></text:note-body></text:note><text:line-break/>in <text:span>them</text:span>.<office:annotation><text:p>a comment</text:p></office:annotation></text:p><table:table><table:table-row><table:table-cell><text:p>Year</text:p></table:table-cell><table:table-cell><text:p>1850</text:p></table:table-cell></table:table-row></table:table></office:text></office:body></office:document-content>`,
});

const SLIDE = (text: string) =>
  `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r><a:br/><a:r><a:t>below</a:t></a:r></a:p><a:p><a:fld type="slidenum"><a:t>3</a:t></a:fld></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`;
const RELATIONSHIP = (id: string, target: string) =>
  `<Relationship Id="${id}" Type="a/slide" Target="${target}"/>`;
const PPTX = makeZip({
  "[Content_Types].xml": "<Types/>",
  "ppt/presentation.xml":
    '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/></p:sldIdLst></p:presentation>',
  "ppt/_rels/presentation.xml.rels": `<Relationships>${RELATIONSHIP("r1", "slides/slide1.xml")}${RELATIONSHIP("r2", "slides/slide2.xml")}</Relationships>`,
  "ppt/slides/slide1.xml": SLIDE("last &amp; least"),
  "ppt/slides/slide2.xml": SLIDE("first"),
});

const PAGE = (text: string) =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body><h1>${text}</h1><p>Its text.</p></body></html>`;
const BOOK = {
  mimetype: "application/epub+zip",
  "META-INF/container.xml":
    '<container><rootfiles><rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
  "OEBPS/content.opf":
    '<package><manifest><item id="nav" href="nav.xhtml" properties="nav"/><item id="b" href="text/two%20b.xhtml"/><item id="a" href="text/one.xhtml"/></manifest><spine><itemref idref="nav"/><itemref idref="a"/><itemref idref="b"/></spine></package>',
  "OEBPS/nav.xhtml": PAGE("Contents"),
  "OEBPS/text/one.xhtml": PAGE("One"),
  "OEBPS/text/two b.xhtml": PAGE("Two"),
};
const EPUB = makeZip(BOOK);

function encrypted(part: string): Record<string, string> {
  return {
    ...BOOK,
    "META-INF/encryption.xml": `<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData><enc:CipherData><enc:CipherReference URI="${part}"/></enc:CipherData></enc:EncryptedData></encryption>`,
  };
}

const JATS = `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE article PUBLIC "-//NLM//DTD JATS" "JATS.dtd"><article xmlns:mml="m"><front><journal-meta><journal-title>Journal</journal-title></journal-meta><article-meta><article-id>10.1/x</article-id><title-group><article-title>On <italic>bells</italic></article-title></title-group><contrib-group><contrib><name><surname>Smith</surname></name></contrib></contrib-group><abstract><p>In short.</p></abstract></article-meta></front><body><sec><title>Methods</title><p>We listened<fn><p>With ears.</p></fn> to <mml:math><mml:mi>x</mml:mi></mml:math> bells.</p><table-wrap><table><tr><td>A</td><td>B</td></tr></table></table-wrap></sec></body><back><ref-list><ref><mixed-citation>Smith 2001</mixed-citation></ref></ref-list></back></article>`;

const TEI = `<?xml version="1.0"?><TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>T</title></titleStmt></fileDesc><profileDesc><abstract><p>In short.</p></abstract></profileDesc></teiHeader><text><body><div><head>Of towers</head><p>They <choice><sic>standed</sic><corr>stood</corr></choice><lb/>high<note place="foot"><p>Very.</p></note>.</p></div></body><back><listBibl><biblStruct/></listBibl></back></text></TEI>`;

const RTF = String.raw`{\rtf1\ansi\ansicpg1251\deff0{\fonttbl{\f0\fcharset204 Arial;}}{\info{\title No text}}{\*\generator x;}\f0\fs24 The lamps\par Oil \b burned\b0  caf\u233?\par \'ca\'ee\'eb\'ee\'ea\'ee\'eb\par}`;

const LATEX = String.raw`\documentclass{article}
\usepackage[utf8]{inputenc}
\title{On bells}
\begin{document}
\section{Of \emph{towers}} % a comment
They stood ${"``"}high''~and $x^2$ \textbf{far}\footnote{Very \'etroit.} away, na\"{\i}ve \& 5\,\% \cite{smith}.

\begin{itemize}
\item One
\item Two
\end{itemize}
\begin{equation} a=b \end{equation}
\begin{figure}\includegraphics{x.png}\caption{A bell}\end{figure}
\end{document}`;

describe("formats of bulk loads", () => {
  it("refuse a book with encrypted chapters, not one with encrypted fonts", async () => {
    expect((await read(makeZip(encrypted("OEBPS/fonts/a.otf")), "a.epub"))[0]).to.match(/^One/);
    const failure = await read(makeZip(encrypted("OEBPS/text/two%20b.xhtml")), "a.epub").catch(String);
    expect(failure).to.match(/protected/);
  });

  const cases: [name: string, bytes: Buffer | string, mediaType: MediaType, text: string][] = [
    [
      "a.odt",
      ODT,
      "application/vnd.oasis.opendocument.text",
      "The lamps\n\nOil burned\nin them.\n\nWhale oil.\n\nYear\n\n1850",
    ],
    [
      "a.pptx",
      PPTX,
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      "first\nbelow\n\nlast & least\nbelow",
    ],
    ["a.epub", EPUB, "application/epub+zip", "One\n\nIts text.\n\nTwo\n\nIts text."],
    [
      "a.xml",
      JATS,
      "application/xml",
      "On bells\n\nIn short.\n\nMethods\n\nWe listened to bells.\n\nWith ears.\n\nA\n\nB",
    ],
    ["a.xml", TEI, "application/xml", "In short.\n\nOf towers\n\nThey standed high.\n\nVery."],
    ["a.rtf", RTF, "application/rtf", "The lamps\n\nOil burned café\n\nКолокол"],
    ["a.html", PAGE("Lamps &amp; oil"), "text/html", "Lamps & oil\n\nIts text."],
    [
      "a.tex",
      LATEX,
      "application/x-tex",
      "Of towers\n\nThey stood “high” and far away, naı̈ve & 5 % .\n\nVery étroit.\n\nOne\n\nTwo\n\nA bell",
    ],
  ];
  for (const [name, bytes, mediaType, text] of cases) {
    it(`read ${name} (${mediaType}) as text in reading order, notes behind their paragraphs`, async () => {
      const [found, type] = await read(bytes, name);
      expect(type).to.equal(mediaType);
      expect(found.trim()).to.equal(text.normalize("NFC"));
    });

    it(`are refused in uploads: ${name} (${mediaType})`, async () => {
      expect(await refusal(bytes, name, MEDIA_TYPES)).to.match(
        /^unsupported_file_type: .*PDF, DOCX, plain text \(TXT\), and Markdown\.$|^no error, but the text "\\\\documentclass/,
      );
    });
  }

  it("name the reason for files that are damaged or of another kind", async () => {
    expect(await refusal('<?xml version="1.0"?><svg/>', "a.xml")).to.match(
      /^unsupported_file_type: .*neither JATS nor TEI/,
    );
    expect(await refusal(makeZip({ mimetype: "application/vnd.oasis.opendocument.text" }), "a.odt")).to.match(
      /^unreadable_file: .*content\.xml is missing/,
    );
    expect(await refusal(makeZip({ "readme.txt": "x" }), "a.odt")).to.match(
      /^unsupported_file_type: .*ZIP archive/,
    );
    expect(await refusal("{\\rtf1 \\bin99999999999 }", "a.rtf")).to.match(
      /^(?:unreadable_file|no_extractable_text)/,
    );
  });
});
