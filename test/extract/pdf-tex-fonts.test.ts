import { expect } from "chai";
import { isComputerModern, type PageFont } from "../../src/extract/pdf/pdf-font.ts";
import type { GlyphRun, PaintedGlyph } from "../../src/extract/pdf/pdf-painting.ts";
import { readTexFonts } from "../../src/extract/pdf/pdf-tex-fonts.ts";
import { readPdfText } from "../../src/extract/pdf/pdf-text.ts";
import { makePdf } from "./made-documents.ts";

/** All glyphs of these fonts are as wide: 600 thousandths of their size. */
const WIDTHS = `/FirstChar 0/LastChar 255/Widths[${"600 ".repeat(256)}]`;

/** A font of type 1 with further names of glyphs. */
function font(name: string, differences = ""): string {
  return `<</Type/Font/Subtype/Type1/BaseFont/${name}${WIDTHS}/Encoding<</Differences[${differences}]>>>>`;
}

const ACCENTS = font(
  "AAAAAA+CMR10",
  "16/dotlessi/dotlessj/grave/acute/caron/breve/macron/ring/cedilla 94/circumflex 126/tilde/dieresis 128/Q_u/t_t/f_f_i.alt",
);

/** A font whose glyphs are drawn, and have no names but their codes. The letter i is narrower than others. */
function codedFont(name: (code: number) => string, narrow = 300): string {
  const codes = Array.from({ length: 256 }, (_, code) => code);
  const procs = codes.map((code) => `/${name(code)} 6 0 R`).join("");
  const widths = codes.map((code) => (code === 105 ? narrow : 600)).join(" ");
  return (
    "<</Type/Font/Subtype/Type3/FontBBox[0 0 600 700]/FontMatrix[.001 0 0 .001 0 0]/Resources<<>>" +
    `/FirstChar 0/LastChar 255/Widths[${widths}]/Encoding<</Differences[0${codes.map((code) => `/${name(code)}`).join("")}]>>` +
    `/CharProcs<<${procs}>>>>`
  );
}

const GLYPH = "<</Length 29>>\nstream\n600 0 0 0 600 700 d1 0 0 m f \nendstream";

async function textOf(content: string, own: string, fonts = ""): Promise<string> {
  const { text } = await readPdfText(
    makePdf({ pages: [content], font: own, fonts, objects: [GLYPH] }),
    100_000,
  );
  return text.replaceAll(/[^\S\n]+/g, " ").trim();
}

/** Octal codes, as a string of a PDF. */
function coded(text: string): string {
  return Array.from(text, (char) => `\\${(char.codePointAt(0) ?? 0).toString(8).padStart(3, "0")}`).join("");
}

/** An accent over the letter behind it, as TeX draws both: the pen goes back, and up for a capital. */
function accented(accent: string, letter: string, raised = 0): string {
  return `(${coded(accent)}) Tj ${raised} Ts [600(${letter})] TJ 0 Ts`;
}

describe("readPdfText joins accents with the letters below them", () => {
  const line = (content: string) => `BT /F1 10 Tf 72 700 Td ${content} ET`;

  it("before or after the letter, on capitals, and over letters without a dot", async () => {
    const words = line(
      `(Ver) Tj ${accented("\x7f", "o")} (ffentlichung f) Tj ${accented("\x7f", "u")} (r na) Tj ${accented("\x7f", "\\020")} (ve ) Tj ` +
        `${accented("\x13", "E", -2.5)} (tudes, gar) Tj ${accented("\x18", "c")} (on, ) Tj (e) Tj [600(${coded("\x12")})] TJ ( la)Tj`,
    );
    expect(await textOf(words, ACCENTS)).to.equal("Veröffentlichung für naïve Études, garçon, è la");
  });

  it("but not an accent that stands alone, in another font, or over what it makes no letter with", async () => {
    const alone = line(`(a${coded("^")}b l${coded("\x13")}or /${coded("~")}user x${coded("\x7f")}) Tj`);
    expect(await textOf(alone, ACCENTS)).to.equal("aˆb l´or /˜user x¨");
    const kerned = line(`[(l${coded("\x13")})150(or)] TJ`);
    expect(await textOf(kerned, ACCENTS)).to.equal("l´or");
    const formula = line(`/F2 10 Tf (${coded("^")}) Tj /F1 10 Tf [600(a + b)] TJ`);
    expect(await textOf(formula, ACCENTS, `/F2 ${font("BBBBBB+CMSY10", "94/circumflex")}`)).to.include("ˆ");
    expect(await textOf(line(accented("\x18", "b")), ACCENTS)).not.to.match(/^\p{L}$/u);
  });
});

describe("readPdfText reads the fonts of TeX", () => {
  const line = (text: string) => `BT /F1 10 Tf 72 700 Td (${coded(text)}) Tj ET`;

  it("by the names of ligatures", async () => {
    expect(await textOf(line("\x80ote wri\x81en e\x82cient"), ACCENTS)).to.equal("Quote written efficient");
  });

  it("by the codes of a font without names: OT1, T1 and T2A", async () => {
    const ot1 = line('The e\x0ecient o\x0ece \x0cnds \\natural" \x0daws{a \x1aon of su\x0berings');
    const t1 = line("Gro\xffe W\xe4lder, \x10\x1cnde\x11 \x15 ko\xa3ka \xb2to");
    const t2 = line("\xd3\xea\xf0\xe0\xe8\xed\xe0 \xef\xf0\xe0\xe2\xe8\xeb\xe0");
    for (const name of [
      (code: number) => `a${code}`,
      (code: number) => `x${code.toString(16).padStart(2, "0").toUpperCase()}`,
    ]) {
      expect(await textOf(ot1, codedFont(name))).to.equal(
        "The efficient office finds “natural” flaws–a æon of sufferings",
      );
      expect(await textOf(t1, codedFont(name))).to.equal("Große Wälder, “finde” – kočka što");
      expect(await textOf(t2, codedFont(name))).to.equal("Украина правила");
    }
  });

  it("but takes no formulas and no typewriter for text in them", async () => {
    const name = (code: number) => `a${code}`;
    const formula =
      "BT /F1 10 Tf 72 700 Td (x) Tj 20 0 Td (\\013) Tj 20 0 Td (y) Tj 20 0 Td (\\014) Tj 20 0 Td (z+a=b) Tj ET";
    expect(await textOf(formula, codedFont(name))).not.to.match(/f/);
    expect(await textOf(line('print "the \\value{x}" \x0d'), codedFont(name, 600))).to.include(
      '"the \\value{x}"',
    );
  });

  it("and Computer Modern whose map of characters has gaps, by its name", () => {
    for (const name of ["CMR12", "QKGTJU+CMSSBX10", "CMTI8"])
      expect(isComputerModern(name), name).to.equal(true);
    for (const name of ["CMTT10", "CMMI10", "CMSY8", "CMCSC10", "XCMR10"])
      expect(isComputerModern(name), name).to.equal(false);
    const run = runOf({ isType3: false, hasCodes: true });
    const glyphs = Array.from("\x0dexible \x0cnds", (char) => glyph(char, run));
    readTexFonts(glyphs);
    expect(glyphs.map(({ char }) => char).join("")).to.equal("flexible finds");
  });
});

function runOf(font: Pick<PageFont, "isType3" | "hasCodes">): GlyphRun {
  return {
    font: {
      name: "f",
      isVertical: false,
      ligatures: new Map(),
      scale: 0.001,
      boxHeight: undefined,
      family: "serif",
      ascent: 1,
      descent: 0,
      ...font,
    },
    matrix: [10, 0, 0, 10],
    direction: [1, 0],
    em: 10,
    height: 10,
    spacing: 0,
    mark: 0,
  };
}

function glyph(char: string, run: GlyphRun): PaintedGlyph {
  return { char, x: 0, y: 0, width: 5, isSpace: char === " ", isMark: false, run, hidden: undefined };
}

describe("readPdfText reads a spacing of letters that the file takes back", () => {
  it("as the space between two words", async () => {
    const own = font("Courier");
    const content =
      "BT /F1 1 Tf 10 0 0 10 72 700 Tm (LaTe) Tj 0.33 Tc [(Xu)330(s)330(e)330(r)330(s)] TJ 0 Tc ET";
    expect(await textOf(content, own)).to.equal("LaTeX users");
  });
});
