import { expect } from "chai";
import { readPdfText } from "../../src/extract/pdf/pdf-text.ts";
import { makePdf } from "./made-documents.ts";

const BEFORE = "BT /F1 12 Tf 72 700 Td (Seen before) Tj ET";
const AFTER = "BT /F1 12 Tf 72 660 Td (Seen after) Tj ET";

async function read(content: string, resources = "") {
  return readPdfText(makePdf({ pages: [`${BEFORE}\n${content}\n${AFTER}`], resources }), 100_000);
}

/** A line of text between the visible ones. */
const MIDDLE = "BT /F1 12 Tf 72 680 Td (secret words) Tj ET";

const TRANSPARENT =
  "/Shading<</Sh1<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 600 0]/Function<</FunctionType 2/Domain[0 1]/C0[1 0 0]/C1[0 0 1]/N 1>>/Extend[true true]>>>>" +
  "/ExtGState<</G1<</ca 0/CA 0>>/G2<</ca 0.5>>/G3<</BM/Multiply>>/G4<</D[[6 30]0]>>>>";

/** A picture of one grey pixel. */
const PICTURE = "BI /W 2 /H 2 /BPC 8 /CS /G ID \x7f\x7f\x7f\x7f EI";

describe("readPdfText leaves out text that a reader of the page does not see, and says how it is hidden", () => {
  const hidden = {
    "white letters": ["background_colour", `1 g ${MIDDLE} 0 g`],
    "nearly white letters": ["background_colour", `0.97 0.98 0.97 rg ${MIDDLE} 0 g`],
    "white letters in CMYK": ["background_colour", `0 0 0 0 k ${MIDDLE} 0 g`],
    "letters in the colour of a box below them": [
      "background_colour",
      `0 0 1 rg 60 670 300 25 re f ${MIDDLE} 0 g`,
    ],
    "white letters with a white outline": ["background_colour", `1 g 1 G 2 Tr ${MIDDLE} 0 Tr 0 g`],
    "letters of 1 point": ["tiny", "BT /F1 1 Tf 72 680 Td (secret words) Tj ET"],
    "letters that a matrix makes tiny": ["tiny", "BT /F1 12 Tf 0.1 0 0 0.1 72 680 Tm (secret words) Tj ET"],
    "a drawing that is scaled down": ["tiny", `q 0.1 0 0 0.1 60 600 cm ${MIDDLE} Q`],
    "rendering mode 3": ["not_drawn", `q 3 Tr ${MIDDLE} Q`],
    "rendering mode 7": ["not_drawn", `q 7 Tr ${MIDDLE} Q`],
    "letters beside the page": ["outside_page", "BT /F1 12 Tf 700 680 Td (secret words) Tj ET"],
    "letters below the page": ["outside_page", "BT /F1 12 Tf 72 -80 Td (secret words) Tj ET"],
    "letters outside a clip": ["outside_page", `q 300 300 50 50 re W n ${MIDDLE} Q`],
    "a white box over letters": ["covered", `${MIDDLE} 1 g 60 670 300 25 re f 0 g`],
    "white letters beside a drawing of many shapes": [
      "background_colour",
      `${"400 100 5 5 re f ".repeat(2_100)} 1 g ${MIDDLE} 0 g`,
    ],
    "white letters in a thick frame": ["background_colour", `4 w 20 20 560 750 re S 1 g ${MIDDLE} 0 g`],
    "white letters beside a small picture that is drawn without saving": [
      "background_colour",
      `${PICTURE} 1 g ${MIDDLE} 0 g`,
    ],
    "letters that a white box fills": ["not_drawn", `q 7 Tr ${MIDDLE} 1 g 60 670 300 25 re f Q`],
    "letters before a gradient in another place": ["not_drawn", `q 7 Tr ${MIDDLE} Q /Sh1 sh`],
    "a black box over letters": ["covered", `${MIDDLE} 0 g 60 670 300 25 re f`],
    "letters below a thick line that is no longer dashed": [
      "covered",
      `${MIDDLE} q [6 30] 0 d Q [6 30] 0 d [] 0 d 1 G 24 w 60 682 m 360 682 l S`,
    ],
    "letters below a thick line": ["covered", `${MIDDLE} 1 G 24 w 60 682 m 360 682 l S`],
    "letters that are pressed to a hundredth of their width": [
      "tiny",
      "BT /F1 12 Tf 1 Tz 72 680 Td (secret words) Tj 100 Tz ET",
    ],
    "transparent letters": ["transparent", `q /G1 gs ${MIDDLE} Q`],
  } as const;
  for (const [name, [means, content]] of Object.entries(hidden))
    it(name, async () => {
      const { text, hidden: found } = await read(content, TRANSPARENT);
      expect(text.replaceAll(/\s+/g, " ").trim()).to.equal("Seen before Seen after");
      expect(found.map((one) => [one.means, one.text, one.chars])).to.deep.equal([
        [means, "secret words", 12],
      ]);
      expect(found[0]?.at).to.be.within("Seen".length, text.length);
    });

  it("letters outside a crop box that is smaller than the page", async () => {
    const pdf = makePdf({
      pages: [`${BEFORE} BT /F1 12 Tf 72 100 Td (secret words) Tj ET`],
      page: "/CropBox[0 400 612 792]",
    });
    const { text, hidden: found } = await readPdfText(pdf, 100_000);
    expect(text).to.equal("Seen before");
    expect(found.map(({ means }) => means)).to.deep.equal(["outside_page"]);
  });

  const LAYERS = {
    objects: ["<</Type/OCG/Name(Off)>>", "<</Type/OCG/Name(On)>>", "<</Type/OCMD/OCGs[6 0 R]>>"],
    catalog: "/OCProperties<</OCGs[6 0 R 7 0 R]/D<</OFF[6 0 R]>>>>",
    resources: "/Properties<</Off 6 0 R/On 7 0 R/Member 8 0 R>>",
  };
  const inLayers = (content: string) =>
    readPdfText(makePdf({ pages: [`${BEFORE}\n${content}\n${AFTER}`], ...LAYERS }), 100_000);
  const switchedOff = {
    "a layer that is switched off": `/OC /Off BDC ${MIDDLE} EMC`,
    "a member of such a layer": `/OC /Member BDC ${MIDDLE} EMC`,
    "a layer within such a layer": `/OC /Off BDC /OC /On BDC ${MIDDLE} EMC EMC`,
    "such a layer on a scan": `q 612 0 0 792 0 0 cm ${PICTURE} Q /OC /Off BDC ${MIDDLE} EMC`,
  };
  for (const [name, content] of Object.entries(switchedOff))
    it(`letters on ${name}`, async () => {
      const { text, hidden: found } = await inLayers(content);
      expect(text.replaceAll(/\s+/g, " ").trim()).to.equal("Seen before Seen after");
      expect(found.map((one) => [one.means, one.text])).to.deep.equal([["layer_off", "secret words"]]);
    });

  it("but not letters on a layer that is shown, nor those that a switched-off layer would cover", async () => {
    const shown = await inLayers(`/OC /On BDC ${MIDDLE} EMC`);
    expect(shown.text).to.include("secret words");
    const box = `/OC /Off BDC 1 g 60 670 300 25 re f 0 g EMC`;
    const below = await inLayers(`${MIDDLE} ${box}`);
    expect(below.text).to.include("secret words");
    expect(below.hidden).to.deep.equal([]);
    const picture = await inLayers(`1 g ${MIDDLE} 0 g /OC /Off BDC q 612 0 0 792 0 0 cm ${PICTURE} Q EMC`);
    expect(picture.hidden.map(({ means }) => means)).to.deep.equal(["background_colour"]);
  });

  /** A file with a picture of one pixel, drawn over a text or the middle line. */
  const underPicture = (picture = "", places = ["300 0 0 25 60 670"], below = MIDDLE) =>
    readPdfText(
      makePdf({
        pages: [
          `${BEFORE}\n${below} ${places.map((place) => `q ${place} cm /Im1 Do Q`).join(" ")}\n${AFTER}`,
        ],
        resources: "/XObject<</Im1 6 0 R>>",
        objects: [
          `<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray${picture}/Length 1>>\nstream\nx\nendstream`,
          "<</Type/OCG/Name(Off)>>",
        ],
        catalog: "/OCProperties<</OCGs[7 0 R]/D<</OFF[7 0 R]>>>>",
      }),
      100_000,
    );

  it("letters below a picture that lets nothing be seen", async () => {
    const half = "612 0 0 240 0 500";
    for (const places of [["300 0 0 25 60 670"], [half, half]]) {
      const { text, hidden: found } = await underPicture("", places, MIDDLE);
      expect(text).not.to.include("secret words");
      expect(found.map((one) => one.means)).to.include("covered");
    }
  });

  it("but not letters below one with a mask or on a layer that is switched off, beside one, or below a scan", async () => {
    for (const { text, hidden: found } of [
      await underPicture("/Mask[0 1]"),
      await underPicture("/OC 7 0 R"),
      await underPicture("", ["300 0 0 25 60 100"]),
      await underPicture("", ["612 0 0 792 0 0"]),
      await underPicture("", ["300 0 0 25 60 670"], `q 3 Tr ${MIDDLE} Q`),
    ]) {
      expect(text).to.include("secret words");
      expect(found).to.deep.equal([]);
    }
  });

  it("nor letters below a stencil within a drawing, though the file has no picture with a mask", async () => {
    const stencil = "q 300 0 0 25 60 670 cm BI /W 8 /H 1 /BPC 1 /IM true ID x EI Q";
    const pdf = makePdf({
      pages: [`${BEFORE}\n${MIDDLE} /Fm1 Do\n${AFTER}`],
      resources: "/XObject<</Fm1 6 0 R>>",
      objects: [
        `<</Type/XObject/Subtype/Form/BBox[0 0 612 792]/Length ${stencil.length}>>\nstream\n${stencil}\nendstream`,
      ],
    });
    const { text, hidden: found } = await readPdfText(pdf, 100_000);
    expect(text).to.include("secret words");
    expect(found).to.deep.equal([]);
  });

  it("white words inside a line leave a space, and white letters for spaces too", async () => {
    const words = "BT /F1 12 Tf 72 680 Td (the bell ) Tj 1 g (secret words ) Tj 0 g (in the tower) Tj ET";
    const first = await read(words);
    expect(first.text.split("\n")[0]).to.match(/Seen before/);
    expect(first.text).to.match(/the bell in the tower/);
    expect(first.hidden.map(({ text }) => text)).to.deep.equal(["secret words"]);
    expect(first.text.slice(0, first.hidden[0]?.at)).to.match(/the bell ?$/);
    const letters = "BT /F1 12 Tf 72 680 Td (the) Tj 1 g (x) Tj 0 g (bell) Tj 1 g (y) Tj 0 g (rang) Tj ET";
    const second = await read(letters);
    expect(second.text).to.match(/the bell rang/);
    expect(second.hidden.map(({ text }) => text)).to.deep.equal(["x", "y"]);
  });

  it("tiny letters inside a word do not divide it", async () => {
    const { text } = await read("BT /F1 12 Tf 72 680 Td (tow) Tj /F1 0.5 Tf (zq) Tj /F1 12 Tf (er) Tj ET");
    expect(text).to.match(/\btower\b/);
  });
});

describe("readPdfText reads text that can be seen", () => {
  const visible = {
    "white letters on a dark box": `0.2 g 60 670 300 25 re f 1 g ${MIDDLE} 0 g`,
    "white letters on a round shape": `0 0 0.5 rg 60 670 m 60 700 300 700 300 670 c f 1 g ${MIDDLE} 0 g`,
    "white letters on a dark box behind a drawing of many shapes": `${"400 100 5 5 re f ".repeat(2_100)} 0.2 g 60 670 300 25 re f 1 g ${MIDDLE} 0 g`,
    "white letters on a thick line": `20 w 0 0 0.5 RG 72 684 m 300 684 l S 1 g ${MIDDLE} 0 g`,
    "letters that a gradient fills": `q 7 Tr ${MIDDLE} /Sh1 sh Q`,
    "letters that a blue box fills": `q 7 Tr ${MIDDLE} 0 0 1 rg q 60 670 300 25 re f Q Q`,
    "white letters on a picture": `q 300 0 0 25 60 670 cm ${PICTURE} Q 1 g ${MIDDLE} 0 g`,
    "letters in mode 3 below a scan": `q 3 Tr ${MIDDLE} Q q 612 0 0 792 0 0 cm ${PICTURE} Q`,
    "letters in mode 3 on a scan": `q 612 0 0 792 0 0 cm ${PICTURE} Q q 3 Tr ${MIDDLE} Q`,
    "letters in mode 3 below a scan that is drawn without saving": `q 3 Tr ${MIDDLE} Q 612 0 0 792 0 0 cm ${PICTURE} 0.001634 0 0 0.0012626 0 0 cm`,
    "letters below a picture": `${MIDDLE} q 612 0 0 792 0 0 cm ${PICTURE} Q`,
    "white letters with a black outline": `1 g 0 G 2 Tr ${MIDDLE} 0 Tr 0 g`,
    "letters below a highlight": `${MIDDLE} q /G3 gs 1 1 0 rg 60 670 300 25 re f Q`,
    "letters below a half transparent box": `${MIDDLE} q /G2 gs 1 1 1 rg 60 670 300 25 re f Q`,
    "underlined letters": `${MIDDLE} 72 678 70 1 re f`,
    "grey letters": `0.6 g ${MIDDLE} 0 g`,
    "letters crossed out": `${MIDDLE} 0 G 1 w 72 684 m 300 684 l S`,
    "letters beside a thick line": `${MIDDLE} 1 G 24 w 60 640 m 360 640 l S`,
    "letters below a dashed thick line": `${MIDDLE} 1 G 24 w [6 30] 0 d 60 682 m 360 682 l S`,
    "letters below a thick line that a graphics state makes dashed": `${MIDDLE} 1 G 24 w /G4 gs 60 682 m 360 682 l S`,
    "letters of 4 points": "BT /F1 4 Tf 72 680 Td (secret words) Tj ET",
  } as const;
  for (const [name, content] of Object.entries(visible))
    it(name, async () => {
      const { text, hidden } = await read(content, TRANSPARENT);
      expect(text).to.include("secret words");
      expect(hidden).to.deep.equal([]);
    });
});
