import { deflateSync } from "node:zlib";
import { expect } from "chai";
import { readPdfText } from "../../src/extract/pdf/pdf-text.ts";
import { DomainError } from "../../src/platform/domain-error.ts";
import { line, makePdf } from "./made-documents.ts";

const PAGES = ["one", "two", "three"].map((word) =>
  line(`This is page ${word}, with a sentence of its own.`),
);

/** The text, or the message of the refusal. */
async function read(bytes: Buffer): Promise<string> {
  try {
    return (await readPdfText(bytes, 100_000)).text;
  } catch (error) {
    if (error instanceof DomainError && error.code === "unreadable_file") return error.message;
    throw error;
  }
}

/** Three pages of which `from` was overwritten by something as long, so that everything else stays in its place. */
function overwritten(from: string, to: string): Buffer {
  expect(to).to.have.length(from.length);
  const whole = makePdf({ pages: PAGES }).toString("latin1");
  expect(whole).to.include(from);
  return Buffer.from(whole.replace(from, to), "latin1");
}

/** The second page's compressed content, as bytes in a string. */
const SECOND = deflateSync(PAGES[1] ?? "").toString("latin1");

/** A path whose operators lack operands. */
const FAULTY_PATH = `0 0 m ${"5 l ".repeat(12)} S`;
const MANY_OPERANDS = `${"5 ".repeat(40)} 0 0 m S`;
const FORM = (content: string) =>
  `<</Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>/Length ${content.length}>>\nstream\n${content}\nendstream`;

function withForm(content: string): Buffer {
  const behind = line("Behind it.").replace("700", "650");
  const pages = [`${line("Before it.").replace("700", "750")} /Fm1 Do ${behind}`];
  return makePdf({ pages, resources: "/XObject<</Fm1 6 0 R>>", objects: [FORM(content)] });
}

describe("readPdfText refuses a PDF of which it can't read everything, and names the page", () => {
  it("whose compressed content was changed, whichever byte it is", async () => {
    for (let at = 0; at < SECOND.length; at += 1) {
      const byte = String.fromCharCode(SECOND.charCodeAt(at) ^ 0x55);
      const changed = SECOND.slice(0, at) + byte + SECOND.slice(at + 1);
      expect(await read(overwritten(SECOND, changed)), `byte ${at}`).to.match(/page 2 has corrupt content/);
    }
  });

  for (const faulty of [FAULTY_PATH, MANY_OPERANDS])
    it(`with text behind a faulty drawing (${faulty.slice(0, 12)}…), on the page or in the drawing`, async () => {
      const onPage = makePdf({ pages: [`${line("Seen.")} ${faulty} ${line("Lost.")}`] });
      expect(await read(onPage)).to.match(/page 1 has corrupt content/);
      expect(await read(withForm(`${faulty} ${line("Lost.")}`))).to.match(/page 1 has corrupt content/);
    });

  it("whose compressed content breaks off", async () => {
    const half = SECOND.length >> 1;
    const broken = overwritten(`<</Length ${SECOND.length}/`, `<</Length ${half}/`);
    const at = broken.indexOf(SECOND, 0, "latin1");
    const rest = Buffer.from(broken.subarray(at + SECOND.length));
    expect(await read(Buffer.concat([broken.subarray(0, at + half), rest]))).to.match(
      /page 2 has corrupt content/,
    );
  });

  it("whose content is compressed in another way and corrupt", async () => {
    expect(await read(overwritten("Filter/FlateDecode", "Filter/LZWDecode  "))).to.match(
      /page 1 has corrupt/,
    );
  });

  it("whose page refers to content that is not there", async () => {
    expect(await read(overwritten("/Contents 7 0 R", "/Contents 0 0 R"))).to.match(
      /page 2 has lost its content/,
    );
    const list = overwritten("/Contents 7 0 R/Resources", "/Contents[7 0 R 0 0 R]   ".slice(0, 25));
    expect(await read(list)).to.match(/page 2 has lost its content/);
    expect(await read(overwritten("7 0 obj", "7 0 xyz"))).to.match(/page 2 has lost its content/);
  });

  it("whose page refers to content that is not there, when an object before the object stream is short", async () => {
    expect(await read(inObjectStream({ last: 99 }))).to.match(/page 3 has lost its content/);
  });

  it("whose page has fonts and no content", async () => {
    expect(await read(overwritten("/Contents 7 0 R", "               "))).to.match(
      /page 2 has fonts but no content/,
    );
  });

  it("that counts fewer pages than it has", async () => {
    const left = /page 2 is left out by the number of pages/;
    expect(await read(overwritten("/Count 3", "/Count 1"))).to.match(left);
    expect(await read(inObjectStream({ count: 1 }))).to.match(left);
    expect(await read(inObjectStream({ count: 1, isPlain: true }))).to.match(left);
  });

  it("whose compressed content was written as text and changed", async () => {
    const written = ascii85(deflateSync(PAGES[0] ?? ""));
    const changed = written.replace(/(?<=^.{40})./, (letter) => (letter === "A" ? "B" : "A"));
    expect(await read(inObjectStream({ first: written }))).to.equal(await read(makePdf({ pages: PAGES })));
    expect(await read(inObjectStream({ first: changed }))).to.match(/page 1 has corrupt content/);
  });
});

describe("readPdfText reads", () => {
  it("a PDF that another one with more pages is attached to, uncompressed", async () => {
    const attached = makePdf({ pages: [...PAGES, ...PAGES] }).toString("latin1");
    const stream = `<</Type/EmbeddedFile/Length ${attached.length}>>\nstream\n${attached}\nendstream`;
    expect(await read(withObject(stream))).to.equal(await read(makePdf({ pages: PAGES })));
  });

  it("a PDF whose title has the word stream", async () => {
    const whole = withObject("<</Title(A (stream) and its end)>>");
    expect(await read(whole)).to.equal(await read(makePdf({ pages: PAGES })));
  });

  for (const faulty of [FAULTY_PATH, MANY_OPERANDS])
    it(`a faulty drawing (${faulty.slice(0, 12)}…) behind all text, on the page or in a drawing of its own`, async () => {
      const text = line("All of it \\(Tj\\) is read.");
      expect(await read(makePdf({ pages: [`${text} ${faulty} 0 0 m 5 5 l S`] }))).to.equal(
        "All of it (Tj) is read.",
      );
      const inForm = await read(withForm(`${line("A label.")} ${faulty} 0 0 m`));
      expect(inForm).to.include("Before it").and.to.include("A label").and.to.include("Behind it");
    });

  it("a blank page without content", async () => {
    const blank = overwritten(
      "/Contents 7 0 R/Resources<</Font<</F1 3 0 R>>>>/Annots[]",
      "/Resources<<>>".padEnd("/Contents 7 0 R/Resources<</Font<</F1 3 0 R>>>>/Annots[]".length),
    );
    expect(await read(blank)).to.match(/page one.*\n\n\n\nThis is page three/s);
  });

  it("a page whose compressed content lacks its checksum", async () => {
    const whole = makePdf({ pages: PAGES }).toString("latin1");
    const text = await read(Buffer.from(whole.replace(SECOND, SECOND.slice(0, -4)), "latin1"));
    expect(text).to.include("page two");
  });
});

/** The three pages and a further object behind them. */
function withObject(object: string): Buffer {
  const whole = makePdf({ pages: PAGES }).toString("latin1");
  const table = whole.lastIndexOf("xref\n0 ");
  const added = `10 0 obj\n${object}\nendobj\n`;
  const end = whole.slice(table).replace(`startxref\n${table}`, `startxref\n${table + added.length}`);
  return Buffer.from(whole.slice(0, table) + added + end, "latin1");
}

type ObjectStreamParts = {
  /** The number of pages as the file states it. */
  readonly count?: number;
  /** The first page's content, in ASCII85. */
  readonly first?: string;
  /** The object that is the last page's content. */
  readonly last?: number;
  /** Whether the object stream is uncompressed. */
  readonly isPlain?: boolean;
};

/** The three pages with their tree in an object stream, as newer programs write it. */
function inObjectStream({ count = 3, first, last = 8, isPlain = false }: ObjectStreamParts): Buffer {
  const resources = "/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>";
  const tree = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count ${count}>>`,
    ...[6, 7, last].map((content) => `<</Type/Page/Parent 2 0 R/Contents ${content} 0 R${resources}>>`),
  ];
  const places = tree
    .map((_, i) => `${i + 1} ${tree.slice(0, i).join(" ").length + (i === 0 ? 0 : 1)}`)
    .join(" ");
  const packed = PAGES.map(
    (page) => `/Filter/FlateDecode>>\nstream\n${deflateSync(page).toString("latin1")}`,
  );
  if (first !== undefined) packed[0] = `/Filter[/ASCII85Decode/FlateDecode]>>\nstream\n${first}~>`;
  if (last !== 8) packed[2] = "/Filter/LZWDecode>>\nstream\n";
  const objects = `${places} ${tree.join(" ")}`;
  const stored = isPlain
    ? `>>\nstream\n${objects}`
    : `/Filter/FlateDecode>>\nstream\n${deflateSync(objects).toString("latin1")}`;
  const streams = [...packed, `/Type/ObjStm/N 5/First ${places.length + 1}${stored}`];
  let file = "%PDF-1.5\n";
  const rows = [0, 1, 2, 3, 4].map((index) => [2, 9, index]);
  for (const [i, stream] of streams.entries()) {
    rows.push([1, file.length, 0]);
    const length = stream.length - stream.indexOf("stream\n") - "stream\n".length;
    file += `${6 + i} 0 obj\n<</Length ${length}${stream}\nendstream\nendobj\n`;
  }
  const table = [[0, 0, 0], ...rows, [1, file.length, 0]]
    .map(([kind = 0, place = 0, index = 0]) => String.fromCharCode(kind, place >> 8, place & 255, index))
    .join("");
  const entries = `/Type/XRef/Size 11/W[1 2 1]/Root 1 0 R/Length ${table.length}`;
  return Buffer.from(
    `${file}10 0 obj\n<<${entries}>>\nstream\n${table}\nendstream\nendobj\nstartxref\n${file.length}\n%%EOF\n`,
    "latin1",
  );
}

function ascii85(bytes: Buffer): string {
  const padded = Buffer.concat([bytes, Buffer.alloc(4)]);
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    const value = padded.readUInt32BE(at);
    const group = [4, 3, 2, 1, 0].map((power) =>
      String.fromCharCode(33 + (Math.floor(value / 85 ** power) % 85)),
    );
    text += group.slice(0, Math.min(4, bytes.length - at) + 1).join("");
  }
  return text;
}
