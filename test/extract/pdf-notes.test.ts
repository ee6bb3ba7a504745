import { expect } from "chai";
import { readPdfText } from "../../src/extract/pdf/pdf-text.ts";
import { bibliography } from "../../src/text/bibliography.ts";
import { makePdf } from "./made-documents.ts";

type Line = readonly [size: number, y: number, text: string];

function drawn(lines: readonly Line[]): string {
  return lines.map(([size, y, text]) => `BT /F1 ${size} Tf 72 ${y} Td (${text}) Tj ET`).join("\n");
}

const TEXT: readonly Line[] = [
  [11, 700, "The keeper of the lighthouse climbed the stairs each evening with a bucket of oil"],
  [11, 686, "in either hand, and came down again only when the sun had risen over the bay."],
];
const HEADING: Line = [13, 640, "References"];
const NOTES: readonly Line[] = [
  [8, 90, "1 The oil was pressed from rape seed that grew behind the dunes of the northern shore."],
  [8, 80, "2 A bucket held nine litres, and the lamp burned seven of them on a long winter night."],
];

function entries(size: number, top: number): Line[] {
  return [
    [size, top, "[1] Smith, J. Lamps of the coast. Harbour Press, 1998, pp. 3-19."],
    [size, top - 14, "[2] Miller, A. On oil and light. Journal of Lighthouses 12 (3), 2004, pp. 45-67."],
    [size, top - 28, "[3] Brown, K. Keepers and their days. Northern Books, 2011."],
  ];
}

async function parts(...pages: readonly (readonly Line[])[]) {
  const { text } = await readPdfText(makePdf({ pages: pages.map(drawn) }), 100_000);
  const [section] = bibliography(text);
  return {
    before: text.slice(0, section?.start),
    section: section === undefined ? "" : text.slice(section.start, section.end),
  };
}

describe("readPdfText keeps footnotes out of the bibliography", () => {
  it("on the page where it begins", async () => {
    const { before, section } = await parts([...TEXT, HEADING, ...entries(11, 620), ...NOTES]);
    expect(section).to.include("Smith").and.to.include("Brown").and.not.to.include("oil was pressed");
    expect(before).to.match(/bay\.\s+1 The oil was pressed .* shore\.\s+2 A bucket held .* night\.\s+$/);
  });

  it("on a page of entries alone", async () => {
    const more: Line[] = [
      [11, 700, "[4] Green, P. Signals at sea. Harbour Press, 2013, pp. 7-70."],
      [11, 686, "[5] White, R. The fog horn and its players. Northern Books, 2015."],
    ];
    const { before, section } = await parts([...TEXT, HEADING, ...entries(11, 620)], [...more, ...NOTES]);
    expect(section).to.include("Smith").and.to.include("White").and.not.to.include("oil was pressed");
    expect(before).to.include("1 The oil was pressed");
  });

  it("but not entries in smaller letters, whatever their numbers look like", async () => {
    const numbered = entries(8, 620).map(([size, y, text]): Line => [size, y, text.replace(/[[\]]/g, "")]);
    for (const small of [entries(8, 620), numbered]) {
      const { before, section } = await parts([...TEXT, HEADING, ...small]);
      expect(before).not.to.include("Smith");
      expect(section).to.include("Smith").and.to.include("Brown");
    }
  });

  it("and leaves notes of other pages at the foot of their page", async () => {
    const { before, section } = await parts([...TEXT, ...NOTES], [HEADING, ...entries(11, 620)]);
    expect(before).to.match(/bay\.\s+1 The oil/);
    expect(section).to.match(/^References/);
  });
});
