import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { createExtractor } from "../../src/extract/extractor.ts";
import { ocrSettings } from "../../src/extract/ocr/ocr-settings.ts";
import { packagedTesseract, systemTesseract } from "../../src/extract/ocr/tesseract.ts";
import { readPdfText } from "../../src/extract/pdf/pdf-text.ts";
import { prose } from "../support/work/prose.ts";
import { scannedPdf } from "../support/work/scanned-pdf.ts";
import { typesetPdf } from "../support/work/typeset-pdf.ts";
import { line, makePdf } from "./made-documents.ts";

const SETTINGS = { languages: [], pagesMax: 50, pageMs: 60_000 } as const;
const ENGLISH = prose(7, 300);
const GERMAN =
  "Der Müller von Großröhrsdorf führte seine Bücher über fünfzig Jahre lang in derselben schönen Handschrift, und niemand wußte, " +
  "woher er die grüne Tinte bezog. Später erzählte die Tochter, daß er sie aus Nußschalen und Eisenspänen kochte, jeden Frühling " +
  "einen großen Krug voll, den er hinter dem Kachelofen verwahrte, damit er nicht gefröre. Übrig geblieben sind drei Bände.";

/** The share of the words of a text that another one has, in their order (longest common subsequence). */
function wordsRead(expected: string, read: string): number {
  const [wanted, found] = [expected, read].map((text) => text.split(/\s+/).filter((word) => word !== ""));
  let row = new Array<number>((found?.length ?? 0) + 1).fill(0);
  for (const word of wanted ?? []) {
    const next = [0];
    for (const [at, other] of (found ?? []).entries())
      next.push(word === other ? (row[at] ?? 0) + 1 : Math.max(row[at + 1] ?? 0, next[at] ?? 0));
    row = next;
  }
  return (row.at(-1) ?? 0) / (wanted?.length ?? 1);
}

/** Kills the child process of this one that recognises text while it is at work. */
function killOcrProcess(): boolean {
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const isOurs = readFileSync(`/proc/${entry}/status`, "utf8").includes(`\nPPid:\t${process.pid}\n`);
      const command = readFileSync(`/proc/${entry}/cmdline`, "utf8");
      if (!isOurs || !command.includes('"pagesMax"')) continue;
      process.kill(Number(entry), "SIGKILL");
      return true;
    } catch {
      // It has ended meanwhile.
    }
  }
  return false;
}

async function withoutSystemEngine<T>(work: () => Promise<T>): Promise<T> {
  const { PATH } = process.env;
  process.env.PATH = "/nowhere";
  try {
    return await work();
  } finally {
    process.env.PATH = PATH;
  }
}

describe("scanned pages", function () {
  this.timeout(120_000);
  let hasPackage = false;

  before(async function () {
    const engine = await packagedTesseract();
    if (engine === undefined) {
      console.log("skipped: tesseract.js and its language data are not installed");
      this.skip();
    }
    hasPackage = true;
  });

  for (const name of ["tesseract", "tesseract.js"] as const) {
    const within = name === "tesseract" ? <T>(work: () => Promise<T>) => work() : withoutSystemEngine;
    describe(`read by ${name}`, () => {
      before(async function () {
        if (name === "tesseract" && (await systemTesseract()) === undefined) {
          console.log("skipped: the system has no tesseract");
          this.skip();
        }
        expect(hasPackage).to.equal(true);
      });

      it("give their words as paragraphs, and are named", async () => {
        const scan = await scannedPdf(
          typesetPdf(`#set page("a4")\n#set text(11pt)\n${ENGLISH}\n\n${prose(8, 60)}`),
        );
        const { text, pageNotes } = await within(() => readPdfText(scan, 100_000, SETTINGS));
        expect(wordsRead(`${ENGLISH} ${prose(8, 60)}`, text)).to.be.above(0.98);
        expect(text.split(/\n\s*\n/), "paragraphs").to.have.lengthOf(2);
        expect(pageNotes).to.deep.equal([{ kind: "ocr", pages: [1] }]);
      });

      it("stand where they are drawn, also on a page that lies askew", async () => {
        const scan = await scannedPdf(makePdf({ pages: [line("Keepers carried oil up the stairs")] }), {
          skew: 1,
        });
        const { scanned } = await within(() => readPdfText(scan, 100_000, SETTINGS));
        const [first] = scanned[0]?.lines[0]?.words ?? [];
        // Turned by a degree around the upper left corner, (72, 92 from above) lies at (70.4, 93.2).
        expect(first?.text).to.equal("Keepers");
        expect(first?.x).to.be.closeTo(70.4, 1.5);
        expect(first?.y).to.be.closeTo(792 - 93.2, 2);
        expect(first?.width).to.be.closeTo(45.4, 2);
      });
    });
  }

  it("are read in the language that they are in, each for itself", async () => {
    const scan = await scannedPdf(
      typesetPdf(
        `#set page("a4")\n${prose(9, 120)}\n#pagebreak()\n${GERMAN}\n#pagebreak()\n${prose(10, 120)}`,
      ),
    );
    const { text } = await withoutSystemEngine(() => readPdfText(scan, 100_000, SETTINGS));
    expect(wordsRead(`${prose(9, 120)} ${GERMAN} ${prose(10, 120)}`, text)).to.be.above(0.97);
  });

  it("are read if their fonts can't be: what is seen counts, not the character map", async () => {
    const { text, pageNotes } = await readPdfText(unreadableFont(prose(11, 40)), 100_000, SETTINGS);
    expect(wordsRead(prose(11, 40), text)).to.be.above(0.95);
    expect(pageNotes).to.deep.equal([{ kind: "ocr", pages: [1] }]);
  });

  it("beyond the limit of pages stay unread and are named, and the others are read", async () => {
    const pages = [line("The first page of the scan"), line("A second page of it"), line("And a third page")];
    const scan = await scannedPdf(makePdf({ pages }));
    const { text, pageNotes } = await readPdfText(scan, 100_000, { ...SETTINGS, pagesMax: 2 });
    expect(text).to.include("first page").and.to.include("second page").and.not.to.include("third");
    expect(pageNotes).to.deep.equal([
      { kind: "no_text", pages: [3] },
      { kind: "ocr", pages: [1, 2] },
    ]);
  });

  it("that take too long stay unread, and the file's own text is kept", async () => {
    const scan = await scannedPdf(makePdf({ pages: [line("A scanned page")] }));
    for (const within of [withoutSystemEngine, <T>(work: () => Promise<T>) => work()]) {
      const { text, pageNotes } = await within(() => readPdfText(scan, 100_000, { ...SETTINGS, pageMs: 1 }));
      expect(text).to.equal("");
      expect(pageNotes).to.deep.equal([{ kind: "no_text", pages: [1] }]);
    }
  });

  it("are left unread when their process dies, as without OCR", async function () {
    if (!existsSync("/proc/self/cmdline")) this.skip();
    const pages = [line("A page of letters"), line("Another one"), line("And one more")];
    const scan = await scannedPdf(makePdf({ pages }));
    let onRefusal = () => {};
    const extractor = createExtractor({ ocr: SETTINGS }, (outcome) => outcome === "refused" && onRefusal());
    try {
      const options = { filename: "scan.pdf", accept: ["application/pdf"], textCharsMax: 100_000 } as const;
      expect((await extractor.extract(scan, options)).text).to.include("Another one");
      // A kill before its work or after it changes nothing; then there is another one.
      let outcome: unknown;
      for (let isMet = false; !isMet; isMet = !Object.hasOwn(Object(outcome), "text")) {
        const isBegun = new Promise<void>((resolve) => {
          onRefusal = resolve;
        });
        const read = extractor.extract(scan, options).catch((error: unknown) => error);
        await isBegun;
        await sleep(200);
        killOcrProcess();
        outcome = await read;
      }
      expect(outcome).to.include({ code: "no_extractable_text" });
    } finally {
      await extractor.close();
    }
  });

  it("without letters that the engine is sure of stay unread", async () => {
    const noise = Array.from({ length: 200 }, (_, at) => {
      const [x, y] = [(at * 7919) % 612, (at * 104_729) % 792];
      return `${x} ${y} m ${(x * 31) % 612} ${(y * 17) % 792} l S`;
    });
    const scan = await scannedPdf(makePdf({ pages: [noise.join("\n")] }));
    const { pageNotes } = await readPdfText(scan, 100_000, SETTINGS);
    expect(pageNotes.map(({ kind }) => kind)).to.not.include("unreadable_font");
    if (pageNotes.some(({ kind }) => kind === "ocr"))
      expect((await readPdfText(scan, 100_000, SETTINGS)).text.trim()).to.equal("");
  });

  it("need an engine with the languages that are set, which the start says", async () => {
    expect(await ocrSettings({ ocr: false, ocrLanguages: ["xxx"] })).to.equal(undefined);
    expect(await ocrSettings({ ocr: true })).to.deep.include({ languages: [] });
    const error = await ocrSettings({ ocr: true, ocrLanguages: ["xxx"] }).catch((reason: unknown) => reason);
    expect(String(error)).to.match(/OCR: no Tesseract with the languages xxx is installed/);
  });
});

/** A page whose font maps each letter to a private character. */
function unreadableFont(text: string): Buffer {
  const codes = Array.from({ length: 95 }, (_, at) => 32 + at);
  const map = codes.map((code) => `<${code.toString(16)}> <${(0xe000 + code).toString(16)}>`).join("\n");
  const cmap = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${codes.length} beginbfchar\n${map}\nendbfchar endcmap end end`;
  const words = text.split(" ");
  const lines = Array.from({ length: Math.ceil(words.length / 10) }, (_, at) =>
    words.slice(10 * at, 10 * at + 10).join(" "),
  );
  const drawn = lines.map((one, at) => `BT /F1 12 Tf 72 ${700 - 15 * at} Td (${one}) Tj ET`).join("\n");
  const font = `<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 6 0 R>>`;
  const toUnicode = `<</Length ${cmap.length}>>\nstream\n${cmap}\nendstream`;
  return makePdf({ pages: [drawn], font, objects: [toUnicode] });
}
