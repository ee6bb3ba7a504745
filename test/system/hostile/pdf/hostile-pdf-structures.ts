import { deflateSync } from "node:zlib";
import { costly, type HostileUpload, TAKEN, TOO_LONG, UNREADABLE } from "../hostile-upload.ts";
import { onePage, type PageOptions, type PdfObject, pdfStream } from "./made-pdf.ts";
import { LINE, pdf, READ, READ_OR_NOT } from "./pdf-upload.ts";

/** PDFs whose tables of objects lead astray, that are encrypted, or that have very many pages. */
export const PDF_STRUCTURES: readonly HostileUpload[] = [
  pdf("a table of objects that comes before itself", READ_OR_NOT, onePage(LINE), {
    ending: (at) =>
      `xref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 9/Root 1 0 R/Prev ${at}>>\nstartxref\n${at}\n%%EOF\n`,
  }),
  pdf("a table that claims four thousand million objects", READ_OR_NOT, onePage(LINE), {
    ending: (at) =>
      `xref\n0 4294967295\n0000000000 65535 f \ntrailer\n<</Size 4294967295/Root 1 0 R>>\nstartxref\n${at}\n%%EOF\n`,
  }),
  pdf("a table of objects that lies outside the file", READ_OR_NOT, onePage(LINE), {
    ending: () => "trailer\n<</Size 9/Root 1 0 R>>\nstartxref\n99999999999\n%%EOF\n",
  }),
  pdf("no table and no trailer", READ_OR_NOT, onePage(LINE), { ending: () => "" }),
  pdf(
    "a compressed table that comes before itself, with a row for each of 2^31 objects",
    READ_OR_NOT,
    onePage(LINE),
    {
      ending: (at) =>
        `9 0 obj\n<</Type/XRef/Size 2147483647/W[1 8 8]/Index[0 2147483647]/Root 1 0 R/Prev ${at}/Length 0>>\nstream\n\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`,
    },
  ),
  pdf(
    "an object stream that extends itself and holds a million objects",
    READ_OR_NOT,
    [
      ...onePage(LINE),
      pdfStream(deflateSync("6 0 6 0 "), "/Type/ObjStm/N 1000000/First 8/Extends 6 0 R/Filter/FlateDecode"),
    ],
    {
      ending: (at) => compressedTable(at),
    },
  ),
  pdf("encryption with a password", [UNREADABLE], onePage(LINE), {
    trailer: `/Encrypt<</Filter/Standard/V 2/R 3/Length 128/P -4/O<${"00".repeat(32)}>/U<${"00".repeat(32)}>>>/ID[<00><00>]`,
  }),
  pdf(
    "encryption with a billion rounds and a key of no length",
    [UNREADABLE, ...READ_OR_NOT],
    onePage(LINE),
    {
      trailer: `/Encrypt<</Filter/Standard/V 5/R 6/Length 99999999/P -4/O<00>/U<00>/OE<>/UE<>/Perms<>/CF<</StdCF<</CFM/AESV3/Length 999999>>>>/StmF/StdCF/StrF/StdCF>>/ID[<00><00>]`,
    },
  ),
  pdf("100,000 pages that are one and the same", [READ, UNREADABLE, TAKEN], () => {
    const [catalogue = "", , page = "", content = "", font = ""] = onePage(LINE);
    return [catalogue, `<</Type/Pages/Kids[${"3 0 R ".repeat(100_000)}]/Count 100000>>`, page, content, font];
  }),
];

/** Each page takes its time. */
export const PDF_PAGES: readonly HostileUpload[] = costly([
  pdf("100,000 pages in a flat list", [UNREADABLE, TOO_LONG, TAKEN], () => flatPages(100_000)),
]);

/** What a viewer would do when it opens or draws a document, and a reader of text must not. */
export function activePdfs(beacon: string): readonly HostileUpload[] {
  const actions = {
    JavaScript: `/S/JavaScript/JS(app.launchURL\\("${beacon}"\\); while\\(true\\){})`,
    Launch: "/S/Launch/F(/bin/sh)/Win<</F(cmd.exe)/P(/c calc)>>",
    URI: `/S/URI/URI(${beacon})`,
    SubmitForm: `/S/SubmitForm/F<</FS/URL/F(${beacon})>>`,
    ImportData: `/S/ImportData/F<</FS/URL/F(${beacon})>>`,
    GoToR: `/S/GoToR/F<</FS/URL/F(${beacon})>>/D[0/Fit]`,
    Rendition: `/S/Rendition/JS(this.submitForm\\("${beacon}"\\))`,
  };
  return [
    ...Object.entries(actions).map(([name, action]) =>
      pdf(`an action on opening: ${name}`, [READ], () =>
        onePage(LINE, {
          catalogue: `/OpenAction<<${action}>>/AA<</WC<<${action}>>>>/Names<</JavaScript<</Names[(a)<<${action}>>]>>>>`,
          page: `/AA<</O<<${action}>>>>/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<<${action}>>>>]`,
        }),
      ),
    ),
    pdf(
      "a stream that lies elsewhere",
      READ_OR_NOT,
      onePage(pdfStream("", `/F<</FS/URL/F(${beacon})>>/FFilter/FlateDecode`)),
    ),
    pdf("a form in XFA with a script", [READ], () =>
      onePage(LINE, {
        catalogue: "/AcroForm<</Fields[]/XFA 6 0 R>>",
        more: [
          pdfStream(
            `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template><subform><event><script contentType="application/x-javascript">while(true){}</script></event></subform></template></xdp:xdp>`,
          ),
        ],
      }),
    ),
    font("a font program with code in its matrix", {
      font: `<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X/FontMatrix[1 2 3 4 5 (0\\); fetch\\('${beacon}'\\))]/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>]>>`,
    }),
    font("a character map of four thousand million characters", {
      font: "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>",
      more: [
        pdfStream(
          `/CIDInit/ProcSet findresource begin begincmap 1 begincodespacerange <00000000><ffffffff> endcodespacerange ${"1 beginbfrange <00000000><ffffffff><0041> endbfrange ".repeat(100)}endcmap`,
        ),
      ],
    }),
    font("a character map that uses itself", {
      font: "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding 6 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>]>>",
      more: [pdfStream("/X usecmap begincmap endcmap", "/Type/CMap/CMapName/X/UseCMap 6 0 R")],
    }),
    font("widths for two thousand million glyphs", {
      font: "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/X/W[0 2147483647 500]/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>]>>",
    }),
  ];
}

function font(name: string, options: PageOptions): HostileUpload {
  return pdf(name, READ_OR_NOT, () => onePage(LINE, options));
}

/** Each page is an object of its own; all share one content. */
function flatPages(count: number): PdfObject[] {
  const [catalogue = "", , , content = "", helvetica = ""] = onePage(LINE);
  const first = 5;
  const kids = Array.from({ length: count }, (_, i) => `${i + first} 0 R`).join(" ");
  const page = "<</Type/Page/Parent 2 0 R/Contents 3 0 R>>";
  return [
    catalogue,
    `<</Type/Pages/Kids[${kids}]/Count ${count}/MediaBox[0 0 612 792]/Resources<</Font<</F1 4 0 R>>>>>>`,
    content,
    helvetica,
    ...Array.from({ length: count }, () => page),
  ];
}

/** A table that sends every object but one to the object stream 6. */
function compressedTable(at: number): string {
  const rows = Buffer.concat(Array.from({ length: 7 }, () => Buffer.from([2, 0, 6, 0]))).toString("hex");
  return `7 0 obj\n<</Type/XRef/Size 8/W[1 2 1]/Root 1 0 R/Filter/ASCIIHexDecode/Length ${rows.length + 1}>>\nstream\n${rows}>\nendstream\nendobj\nstartxref\n${at}\n%%EOF\n`;
}
