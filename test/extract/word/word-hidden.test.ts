import { expect } from "chai";
import { readWordHtml } from "../../../src/extract/word/word-html.ts";
import { openWordPackage } from "../../../src/extract/word/word-package.ts";
import { readWordText } from "../../../src/extract/word/word-text.ts";
import { makeDocx, paragraph, wordPart } from "../made-documents.ts";

type Related = NonNullable<Parameters<typeof makeDocx>[0]["related"]>;

function run(text: string, properties = ""): string {
  return `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
}

function styles(content: string): Related {
  return [{ type: "styles", name: "styles.xml", content: wordPart("styles", content) }];
}

async function read(body: string, related: Related = []) {
  return readWordText(await openWordPackage(makeDocx({ body, related }), []));
}

function effect(name: string, fill: string, attributes = ""): string {
  return `<w14:${name} ${attributes}>${fill}</w14:${name}>`;
}

function solid(colour: string, change = ""): string {
  return `<w14:solidFill><w14:srgbClr w14:val="${colour}">${change}</w14:srgbClr></w14:solidFill>`;
}

const WHITE = '<w:color w:val="FFFFFF"/>';
const ACCENT = '<w:color w:val="4472C4"/>';
const NO_FILL = "<w14:noFill/>";

/** Bodies whose second run is hidden, the means, and parts beside them. */
const HIDDEN: Readonly<Record<string, readonly [means: string, body: string, related?: Related]>> = {
  "marked as hidden": [
    "not_drawn",
    `<w:p>${run("seen ")}${run("secret ", "<w:vanish/>")}${run("text")}</w:p>`,
  ],
  "white on the page": [
    "background_colour",
    `<w:p>${run("seen ")}${run("secret ", '<w:color w:val="FFFFFF"/>')}${run("text")}</w:p>`,
  ],
  "almost white": [
    "background_colour",
    `<w:p>${run("seen ")}${run("secret ", '<w:color w:val="fefefd" w:themeColor="background1"/>')}${run("text")}</w:p>`,
  ],
  "black on black": [
    "background_colour",
    `<w:p>${run("seen ")}${run("secret ", '<w:color w:val="000000"/><w:shd w:val="clear" w:color="auto" w:fill="000000"/>')}${run("text")}</w:p>`,
  ],
  "in the colour of its highlight": [
    "background_colour",
    `<w:p>${run("seen ")}${run("secret ", '<w:color w:val="FFFF00"/><w:highlight w:val="yellow"/>')}${run("text")}</w:p>`,
  ],
  "in the colour of its cell": [
    "background_colour",
    `<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:val="clear" w:fill="1F3864"/></w:tcPr><w:p>${run("seen ", '<w:color w:val="FFFFFF"/>')}${run("secret ", '<w:color w:val="1F3864"/>')}${run("text", '<w:color w:val="FFFFFF"/>')}</w:p></w:tc></w:tr></w:tbl>`,
  ],
  "in the theme's colour of the page, whatever is written beside it": [
    "background_colour",
    `<w:p>${run("seen ")}${run("secret ", '<w:color w:val="000000" w:themeColor="background1"/>')}${run("text")}</w:p>`,
  ],
  "filled with white": [
    "background_colour",
    `<w:p>${run("seen ")}${run("secret ", '<w14:textFill><w14:solidFill><w14:schemeClr w14:val="bg1"/></w14:solidFill></w14:textFill>')}${run("text")}</w:p>`,
  ],
  "pressed to a hundredth of its width": [
    "tiny",
    `<w:p>${run("seen ")}${run("secret ", '<w:w w:val="1"/>')}${run("text")}</w:p>`,
  ],
  "of letters over each other": [
    "tiny",
    `<w:p>${run("seen ")}${run("secret ", '<w:spacing w:val="-400"/>')}${run("text")}</w:p>`,
  ],
  "of one point": ["tiny", `<w:p>${run("seen ")}${run("secret ", '<w:sz w:val="2"/>')}${run("text")}</w:p>`],
  transparent: [
    "transparent",
    `<w:p>${run("seen ")}${run("secret ", "<w14:textFill><w14:noFill/></w14:textFill>")}${run("text")}</w:p>`,
  ],
  "white without the outline of its style": [
    "background_colour",
    `<w:p>${run("seen ")}${run("secret ", `<w:rStyle w:val="Lined"/>${WHITE}${effect("textOutline", NO_FILL)}`)}${run("text")}</w:p>`,
    styles(
      `<w:style w:type="character" w:styleId="Lined"><w:rPr>${effect("textOutline", solid("4472C4"))}</w:rPr></w:style>`,
    ),
  ],
  "white with an outline in white": [
    "background_colour",
    `<w:p>${run("seen ")}${run("secret ", effect("textOutline", solid("FFFFFF")) + effect("textFill", solid("FFFFFF")))}${run("text")}</w:p>`,
  ],
  "without a fill, and with an outline in white": [
    "background_colour",
    `<w:p>${run("seen ")}${run("secret ", effect("textOutline", solid("FFFFFF")) + effect("textFill", NO_FILL))}${run("text")}</w:p>`,
  ],
  "filled with white that is half transparent": [
    "background_colour",
    `<w:p>${run("seen ")}${run("secret ", ACCENT + effect("textFill", solid("FFFFFF", '<w14:alpha w14:val="50000"/>')))}${run("text")}</w:p>`,
  ],
  "white with a shadow exactly behind it": [
    "background_colour",
    `<w:p>${run("seen ")}${run("secret ", WHITE + effect("shadow", '<w14:srgbClr w14:val="000000"/>', 'w14:blurRad="0" w14:dist="0"'))}${run("text")}</w:p>`,
  ],
  "outlined with white": [
    "background_colour",
    `<w:p>${run("seen ")}${run("secret ", `${WHITE}<w:outline/>`)}${run("text")}</w:p>`,
  ],
  "without a fill, with a transparent outline": [
    "transparent",
    `<w:p>${run("seen ")}${run("secret ", effect("textOutline", solid("000000", '<w14:alpha w14:val="100000"/>')) + effect("textFill", NO_FILL))}${run("text")}</w:p>`,
  ],
  "of letters over each other in a style with a spacing of lines": [
    "tiny",
    `<w:p>${run("seen ")}${run("secret ", '<w:rStyle w:val="Heap"/>')}${run("text")}</w:p>`,
    styles(
      '<w:style w:type="paragraph" w:styleId="Heap"><w:pPr><w:spacing w:before="240"/></w:pPr><w:rPr><w:spacing w:val="-400"/></w:rPr></w:style>',
    ),
  ],
  "by its character style": [
    "not_drawn",
    `<w:p>${run("seen ")}${run("secret ", '<w:rStyle w:val="Gone"/>')}${run("text")}</w:p>`,
    styles(
      '<w:style w:type="character" w:styleId="Base"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type="character" w:styleId="Gone"><w:basedOn w:val="Base"/></w:style>',
    ),
  ],
};

/** Bodies that only look as if they hid something. */
const SEEN: Readonly<Record<string, readonly [body: string, related?: Related]>> = {
  "white on a dark cell": [
    `<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:val="clear" w:fill="1F3864"/></w:tcPr><w:p>${run("seen text", '<w:color w:val="FFFFFF"/>')}</w:p></w:tc></w:tr></w:tbl>`,
  ],
  "white on a dark paragraph": [
    `<w:p><w:pPr><w:shd w:val="clear" w:fill="000000"/></w:pPr>${run("seen text", '<w:color w:val="FFFFFF"/>')}</w:p>`,
  ],
  "white in the first row of a table style": [
    `<w:tbl><w:tblPr><w:tblStyle w:val="Dark"/></w:tblPr><w:tr><w:tc><w:p>${run("seen text", '<w:color w:val="FFFFFF"/>')}</w:p></w:tc></w:tr></w:tbl>`,
    styles(
      '<w:style w:type="table" w:styleId="Dark"><w:tblStylePr w:type="firstRow"><w:tcPr><w:shd w:val="clear" w:fill="4472C4"/></w:tcPr></w:tblStylePr></w:style>',
    ),
  ],
  "white in a box": [
    `<w:p><w:r><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape fillcolor="black"><v:textbox><w:txbxContent><w:p>${run("seen text", '<w:color w:val="FFFFFF"/>')}</w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`,
  ],
  "behind a content control with white letters": [
    `<w:sdt><w:sdtPr><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:sdtPr><w:sdtEndPr><w:rPr><w:vanish/></w:rPr></w:sdtEndPr><w:sdtContent><w:p/></w:sdtContent></w:sdt><w:p>${run("seen text")}</w:p>`,
  ],
  "around a white content control within a paragraph": [
    `<w:p>${run("seen ")}<w:sdt><w:sdtPr><w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:sdtPr><w:sdtContent>${run("te")}</w:sdtContent></w:sdt>${run("xt")}</w:p>`,
  ],
  "in a box at a hidden run": [
    `<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:pict xmlns:v="urn:schemas-microsoft-com:vml"><v:shape><v:textbox><w:txbxContent><w:p>${run("seen text")}</w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`,
  ],
  "white over a picture behind the text": [
    `<w:p><w:r><w:drawing><wp:anchor xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" behindDoc="1"/></w:drawing></w:r>${run("seen text", '<w:color w:val="FFFFFF"/>')}</w:p>`,
  ],
  "white over a shape behind the text": [
    `<w:p><w:r><w:pict><v:rect xmlns:v="urn:schemas-microsoft-com:vml" style="position:absolute;z-index:-251658240" fillcolor="black"/></w:pict></w:r>${run("seen text", '<w:color w:val="FFFFFF"/>')}</w:p>`,
  ],
  "white on a pattern": [
    `<w:p>${run("seen text", '<w:color w:val="FFFFFF"/><w:shd w:val="pct75" w:color="000000" w:fill="FFFFFF"/>')}</w:p>`,
  ],
  "white on solid black": [
    `<w:p>${run("seen text", '<w:color w:val="FFFFFF"/><w:shd w:val="solid" w:color="auto" w:fill="FFFFFF"/>')}</w:p>`,
  ],
  "white in the patterned first row of a table style": [
    `<w:tbl><w:tblPr><w:tblStyle w:val="Dark"/></w:tblPr><w:tr><w:tc><w:p>${run("seen text", '<w:color w:val="FFFFFF"/>')}</w:p></w:tc></w:tr></w:tbl>`,
    styles(
      '<w:style w:type="table" w:styleId="Dark"><w:tblStylePr w:type="firstRow"><w:tcPr><w:shd w:val="solid" w:color="auto" w:fill="auto"/></w:tcPr></w:tblStylePr></w:style>',
    ),
  ],
  "white on a colour of the theme": [
    `<w:p><w:pPr><w:shd w:val="clear" w:color="auto" w:themeFill="accent1"/></w:pPr>${run("seen text", '<w:color w:val="FFFFFF" w:themeColor="background1"/>')}</w:p>`,
  ],
  "in a darker shade of the page's colour": [
    `<w:p>${run("seen text", '<w:color w:val="7F7F7F" w:themeColor="background1" w:themeShade="80"/>')}</w:p>`,
  ],
  "set a little closer": [`<w:p>${run("seen text", '<w:w w:val="80"/><w:spacing w:val="-10"/>')}</w:p>`],
  "filled with white within an outline": [
    `<w:p>${run("seen text", ACCENT + effect("textOutline", solid("4472C4")) + effect("textFill", solid("FFFFFF")))}</w:p>`,
  ],
  "white within an outline of a colour of the theme": [
    `<w:p>${run("seen text", WHITE + effect("textOutline", '<w14:solidFill><w14:schemeClr w14:val="accent1"/></w14:solidFill>'))}</w:p>`,
  ],
  "without a fill within an outline": [
    `<w:p>${run("seen text", effect("textOutline", solid("000000")) + effect("textFill", NO_FILL))}</w:p>`,
  ],
  "without a fill within an outline of many colours": [
    `<w:p>${run("seen text", effect("textOutline", "<w14:gradFill/>") + effect("textFill", NO_FILL))}</w:p>`,
  ],
  "white within the outline of its style": [
    `<w:p>${run("seen text", `<w:rStyle w:val="Lined"/>${effect("textFill", solid("FFFFFF"))}`)}</w:p>`,
    styles(
      `<w:style w:type="character" w:styleId="Lined"><w:rPr>${effect("textOutline", solid("4472C4"))}</w:rPr></w:style>`,
    ),
  ],
  "filled with many colours over white": [
    `<w:p>${run("seen text", WHITE + effect("textFill", `<w14:gradFill><w14:gsLst><w14:gs w14:pos="0"><w14:srgbClr w14:val="4472C4"/></w14:gs></w14:gsLst></w14:gradFill>`))}</w:p>`,
  ],
  "filled with white and outlined in a colour": [
    `<w:p>${run("seen text", `${ACCENT}<w:outline/>${effect("textFill", solid("FFFFFF"))}`)}</w:p>`,
  ],
  "black on black with the white inside of an outline": [
    `<w:p>${run("seen text", `<w:outline/><w:color w:val="000000"/><w:shd w:val="clear" w:fill="000000"/>`)}</w:p>`,
  ],
  "white with a shadow": [`<w:p>${run("seen text", `${WHITE}<w:shadow/>`)}</w:p>`],
  "white and raised": [`<w:p>${run("seen text", `${WHITE}<w:emboss/>`)}</w:p>`],
  "without a fill and sunk": [`<w:p>${run("seen text", `<w:imprint/>${effect("textFill", NO_FILL)}`)}</w:p>`],
  "white with a glow": [
    `<w:p>${run("seen text", WHITE + effect("glow", '<w14:schemeClr w14:val="accent1"/>', 'w14:rad="63500"'))}</w:p>`,
  ],
  "filled before an effect that is transparent": [
    `<w:p>${run("seen text", effect("textFill", solid("4472C4")) + effect("props3d", '<w14:extrusionClr><w14:srgbClr w14:val="000000"><w14:alpha w14:val="100000"/></w14:srgbClr></w14:extrusionClr>'))}</w:p>`,
  ],
  "large and set close": [`<w:p>${run("seen text", '<w:spacing w:val="-200"/><w:sz w:val="192"/>')}</w:p>`],
  "large and narrow": [`<w:p>${run("seen text", '<w:w w:val="10"/><w:sz w:val="192"/>')}</w:p>`],
  "of a width that Word does not know": [`<w:p>${run("seen text", '<w:w w:val="0"/>')}</w:p>`],
  "of its usual width and spacing again": [
    `<w:p>${run("seen text", `<w:rStyle w:val="Narrow"/><w:w w:val="100"/><w:spacing w:val="0"/>`)}</w:p>`,
    styles(
      '<w:style w:type="character" w:styleId="Narrow"><w:rPr><w:spacing w:val="-400"/><w:w w:val="8"/></w:rPr></w:style>',
    ),
  ],
  "of a colour that is none": [
    `<w:p>${run("seen text", `<w:color w:val="none"/><w14:textFill />${effect("textOutline", NO_FILL)}`)}</w:p>`,
  ],
  "of automatic colour": [`<w:p>${run("seen text", '<w:color w:val="auto"/>')}</w:p>`],
  "light grey": [`<w:p>${run("seen text", '<w:color w:val="D9D9D9"/>')}</w:p>`],
  "of a hidden paragraph mark": [
    `<w:p><w:pPr><w:rPr><w:vanish/><w:color w:val="FFFFFF"/></w:rPr></w:pPr>${run("seen text")}</w:p>`,
  ],
  "not hidden any more": [
    `<w:p><w:r><w:rPr><w:vanish w:val="0"/><w:rPrChange w:id="1"><w:rPr><w:vanish/></w:rPr></w:rPrChange></w:rPr><w:t>seen text</w:t></w:r></w:p>`,
  ],
};

describe("hidden text of Word documents", () => {
  for (const [what, [means, body, related]] of Object.entries(HIDDEN)) {
    it(`is not part of the text if it is ${what}, and is told`, async () => {
      const { text, hidden } = await read(body, related);
      expect(text.trim()).to.equal("seen text");
      expect(hidden).to.deep.equal([{ at: "seen ".length, means, chars: "secret ".length, text: "secret " }]);
    });
  }

  for (const [what, [body, related]] of Object.entries(SEEN)) {
    it(`is none that is ${what}`, async () => {
      const { text, hidden } = await read(body, related);
      expect(text.trim()).to.equal("seen text");
      expect(hidden).to.deep.equal([]);
    });
  }

  it("leaves a blank where hidden letters stand in place of blanks, and none inside words", async () => {
    const white = '<w:color w:val="FFFFFF"/>';
    const words = "The bell foundry at Karlow cast its last great bell".split(" ");
    const joined = (gap: string) => `<w:p>${words.map((word) => run(word)).join(gap)}</w:p>`;
    for (const properties of [white, '<w:sz w:val="2"/>', `${white}<w:sz w:val="1"/>`, "<w:vanish/>"])
      expect((await read(joined(run("q", properties)))).text.trim()).to.equal(words.join(" "));
    const cut = words.map((word) => run(word.slice(0, 1)) + run("x", "<w:vanish/>") + run(word.slice(1)));
    expect((await read(`<w:p>${cut.join(run(" "))}</w:p>`)).text.trim()).to.equal(words.join(" "));
  });

  it("is shown as a deletion in the document, in its place", async () => {
    const body = `<w:p>${run("seen ")}${run("sec", "<w:vanish/>")}${run("ret", "<w:vanish/><w:b/>")}${run(" text")}</w:p>${paragraph("end")}`;
    const html = await readWordHtml(await openWordPackage(makeDocx({ body }), []));
    expect(html).to.equal("<p>seen <del>sec</del><strong><del>ret</del></strong> text</p><p>end</p>");
  });

  it("holds the marks of a document itself as unknown characters", async () => {
    const { text, hidden } = await read(paragraph("a\ufdd0nb\ufdd1c"));
    expect(text.trim()).to.equal("a\ufffdnb\ufffdc");
    expect(hidden).to.deep.equal([]);
  });
});
