import { deflateSync } from "node:zlib";
import { costly, type HostileUpload, NO_TEXT, TAKEN, TEXT, TOO_LONG, UNREADABLE } from "../hostile-upload.ts";
import { packedRun, zlibStream } from "../packed-bytes.ts";
import { onePage, type PdfObject, pdfLine, pdfStream } from "./made-pdf.ts";
import { LINE, pdf, READ, READ_OR_NOT } from "./pdf-upload.ts";

/** What unpacks to more than anybody has, or is drawn more often than anybody waits for. */
export const PDF_BOMBS: readonly HostileUpload[] = costly([
  pdf("a gigabyte of blanks in the page's content", [UNREADABLE, NO_TEXT], () => onePage(bomb(" ", 1024))),
  pdf("a gigabyte of text operators", [UNREADABLE, TOO_LONG, NO_TEXT], () => onePage(bomb("(a)Tj ", 1024))),
  pdf("a gigabyte of opening brackets", [UNREADABLE, NO_TEXT], () => onePage(bomb("[", 1024))),
  pdf("a gigabyte packed twice", [UNREADABLE, NO_TEXT], () =>
    onePage(
      pdfStream(deflateSync(zlibStream(packedRun(" ", 1024).bytes)), "/Filter[/FlateDecode/FlateDecode]"),
    ),
  ),
  pdf("a run-length stream of 1.2 GB", [UNREADABLE, NO_TEXT], () =>
    onePage(pdfStream(Buffer.alloc(9_900_000, Buffer.from([0x81, 0x20])), "/Filter/RunLengthDecode")),
  ),
  pdf("a page tree 100,000 deep", READ_OR_NOT, () => {
    const nodes = Array.from(
      { length: 100_000 },
      (_, i) => `<</Type/Pages/Parent ${i + 1} 0 R/Kids[${i + 3} 0 R]/Count 1>>`,
    );
    return ["<</Type/Catalog/Pages 2 0 R>>", ...nodes, "<</Type/Page/MediaBox[0 0 9 9]>>"];
  }),
  pdf("a form that draws ten forms, ten times over", [UNREADABLE, TOO_LONG, NO_TEXT, TAKEN], () =>
    onePage(pdfStream("/X0 Do"), {
      resources: "/XObject<</X0 6 0 R>>",
      more: Array.from({ length: 10 }, (_, i) =>
        pdfStream(
          i === 9 ? pdfLine("ha") : `/X${i + 1} Do `.repeat(10),
          `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F1 5 0 R>>/XObject<</X${i + 1} ${i + 7} 0 R>>>>`,
        ),
      ),
    }),
  ),
  pdf("a million states saved", READ_OR_NOT, () =>
    onePage(pdfStream(`${"q ".repeat(1_000_000)}${pdfLine(TEXT)}`)),
  ),
]);

/** Filters, pictures and what leads back to itself, or claims to be larger than it is. */
export const PDF_LOOPS: readonly HostileUpload[] = [
  pdf("sixty-four filters one after another", READ_OR_NOT, () => {
    let content = Buffer.from(pdfLine(TEXT));
    for (let i = 0; i < 64; i++) content = deflateSync(content);
    return onePage(pdfStream(content, `/Filter[${"/FlateDecode".repeat(64)}]`));
  }),
  pdf("ten thousand filters on nothing", READ_OR_NOT, () =>
    onePage(pdfStream("", `/Filter[${"/ASCIIHexDecode".repeat(10_000)}]`)),
  ),
  pdf("a predictor with rows of two gigabytes", READ_OR_NOT, () =>
    onePage(
      pdfStream(
        deflateSync(pdfLine(TEXT)),
        "/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 2147483647/Colors 4/BitsPerComponent 16>>",
      ),
    ),
  ),
  ...["FlateDecode", "DCTDecode", "JPXDecode", "JBIG2Decode", "CCITTFaxDecode"].map((filter) =>
    pdf(`a picture of a million by a million points, ${filter}`, [READ], () =>
      onePage(pdfStream(`${pdfLine(TEXT)}/Im Do\n`), {
        resources: "/XObject<</Im 6 0 R>>",
        more: [
          pdfStream(
            zlibStream(packedRun("\0", 1024).bytes),
            `/Type/XObject/Subtype/Image/Width 1000000/Height 1000000/ColorSpace/DeviceCMYK/BitsPerComponent 16/Filter/${filter}`,
          ),
        ],
      }),
    ),
  ),
  pdf("a page tree that holds itself", READ_OR_NOT, [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[2 0 R]/Count 1>>",
  ]),
  pdf("a page tree that leads back to its root, with a page before", READ_OR_NOT, [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R 6 0 R]/Count 1000>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    LINE,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    "<</Type/Pages/Parent 2 0 R/Kids[2 0 R 2 0 R]/Count 999>>",
  ]),
  ...["2147483647", "1e99", "-5", "0", "null", "2 0 R", "(many)"].map((count) =>
    pdf(`one page that counts as ${count}`, READ_OR_NOT, [
      "<</Type/Catalog/Pages 2 0 R>>",
      `<</Type/Pages/Kids[3 0 R]/Count ${count}>>`,
      ...onePage(LINE).slice(2),
    ]),
  ),
  pdf("a form that draws itself", READ_OR_NOT, drawing("Form", `${pdfLine(TEXT)}/X Do`)),
  pdf("a glyph that is drawn by itself", READ_OR_NOT, () =>
    onePage(LINE, {
      font: "<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 0/LastChar 255/Widths[1]/Encoding<</Differences[84/T]>>/CharProcs<</T 6 0 R>>/Resources<</Font<</F1 5 0 R>>>>>>",
      more: [pdfStream(`1 0 d0 ${pdfLine("T")}`)],
    }),
  ),
  pdf(
    "a stream whose length is itself",
    READ_OR_NOT,
    onePage(["<</Length 4 0 R>>\nstream\n", pdfLine(TEXT), "\nendstream"]),
  ),
  pdf("content that is a list of itself", READ_OR_NOT, onePage("[4 0 R 4 0 R]")),
  pdf("an object that is a reference to itself", READ_OR_NOT, onePage("4 0 R")),
  pdf("lists in lists, a million deep", READ_OR_NOT, () =>
    onePage(LINE, { page: `/X ${"[".repeat(1_000_000)}` }),
  ),
  pdf("dictionaries in dictionaries in the content, a million deep", READ_OR_NOT, () =>
    onePage(pdfStream("/A<<".repeat(1_000_000))),
  ),
];

function bomb(piece: string, megabytes: number): PdfObject {
  return pdfStream(zlibStream(packedRun(piece, megabytes).bytes), "/Filter/FlateDecode");
}

function drawing(subtype: string, content: string): PdfObject[] {
  return onePage(pdfStream("/X Do"), {
    resources: "/XObject<</X 6 0 R>>",
    more: [
      pdfStream(
        content,
        `/Type/XObject/Subtype/${subtype}/BBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>/XObject<</X 6 0 R>>>>`,
      ),
    ],
  });
}
