import { expect } from "chai";
import fc from "fast-check";
import { decodeText } from "../../src/extract/text/text-file.ts";
import { DomainError } from "../../src/platform/domain-error.ts";

const MARK = "\uFEFF";

function utf16be(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

describe("decodeText", () => {
  it("decodes any text, with or without a byte-order mark, and takes only the mark away", () => {
    const sentence = fc.string({ unit: "grapheme" }).map((text) => `Ω ${text.replace(/\p{Cc}/gu, "")}`);
    fc.assert(
      fc.property(sentence, (text) => {
        expect(decodeText(Buffer.from(text))).to.equal(text);
        expect(decodeText(Buffer.from(MARK + text))).to.equal(text);
        expect(decodeText(Buffer.from(MARK + text, "utf16le"))).to.equal(text);
        expect(decodeText(utf16be(MARK + text))).to.equal(text);
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it("reads windows-1252 where the bytes are not UTF-8, with its own quotes, dashes and euro sign", () => {
    expect(decodeText(Buffer.from("\x80 \x93caf\xe9\x94 \x97 \x85", "latin1"))).to.equal("€ “café” — …");
  });

  const encoded: (readonly [label: string, text: string, bytes: string])[] = [
    [
      "windows-1251",
      "Старые рабочие вспоминали, что металл лили ночью, потому что тяга была ровнее",
      "d1f2e0f0fbe520f0e0e1eef7e8e520e2f1efeeece8ede0ebe82c20f7f2ee20ece5f2e0ebeb20ebe8ebe820edeef7fcfe2c20efeef2eeecf320f7f2ee20f2ffe3e020e1fbebe020f0eee2ede5e5",
    ],
    [
      "koi8-r",
      "Старые рабочие вспоминали, что металл лили ночью",
      "f3d4c1d2d9c520d2c1c2cfdec9c520d7d3d0cfcdc9cec1ccc92c20ded4cf20cdc5d4c1cccc20ccc9ccc920cecfded8c0",
    ],
    [
      "shift_jis",
      "この村の鐘鋳造所は一九一一年の秋に最後の大きな鐘を鋳た",
      "82b182cc91ba82cc8fe0929291a28f8a82cd88ea8be388ea88ea944e82cc8f4882c98dc58ce382cc91e582ab82c88fe082f0929282bd",
    ],
    [
      "windows-1250",
      "Staří dělníci si pamatovali, že se kov lil v noci, protože tah v komíně byl po západu slunce stálejší a záře ukázala každou vadu formy",
      "537461f8ed2064ec6c6eed63692073692070616d61746f76616c692c209e65207365206b6f76206c696c2076206e6f63692c2070726f746f9e65207461682076206b6f6ded6eec2062796c20706f207ae17061647520736c756e6365207374e16c656a9aed2061207ae1f86520756be17a616c61206b619e646f75207661647520666f726d79",
    ],
  ];
  encoded.push(
    [
      "windows-1250 in Polish",
      "Ludwisarnia w Karłowie odlała swój wielki dzwon jesienią, kilka miesięcy przed tym, jak spółka kupiła podwórze i zamieniła piece w skład drewna",
      "4c756477697361726e69612077204b6172b36f776965206f646c61b361207377f36a207769656c6b6920647a776f6e206a657369656e69b92c206b696c6b61206d69657369ea63792070727a65642074796d2c206a616b207370f3b36b61206b757069b36120706f6477f3727a652069207a616d69656e69b361207069656365207720736bb3616420647265776e61",
    ],
    [
      "windows-1251 in Bulgarian",
      "Леярната за камбани в Карлово отля последната си голяма камбана през есента, няколко месеца преди железницата да купи двора",
      "cbe5fff0ede0f2e020e7e020eae0ece1e0ede820e220cae0f0ebeee2ee20eef2ebff20efeef1ebe5e4ede0f2e020f1e820e3eeebffece020eae0ece1e0ede020eff0e5e720e5f1e5edf2e02c20edffeaeeebeaee20ece5f1e5f6e020eff0e5e4e820e6e5ebe5e7ede8f6e0f2e020e4e020eaf3efe820e4e2eef0e0",
    ],
    ["iso-2022-jp", "この村の鐘は夜に", "1b24422433244e423c244e3e62244f4c6b244b1b2842"],
  );
  for (const [label, text, hex] of encoded)
    it(`reads ${label} as what it is`, () => {
      expect(decodeText(Buffer.from(hex, "hex"))).to.equal(text);
    });

  it("reads UTF-16 without its mark in any script, and no data as such", () => {
    for (const text of [
      "The bell foundry cast its last bell.",
      "Старые рабочие вспоминали, что металл лили ночью.",
      "この村の鐘鋳造所は、秋に最後の大きな鐘を鋳た。",
      "카를로의 종 주조소는 마지막 큰 종을 부었고, 용광로를 바꾸었다.",
    ]) {
      expect(decodeText(Buffer.from(text, "utf16le"))).to.equal(text);
      expect(decodeText(utf16be(text))).to.equal(text);
    }
    const data = Buffer.from(
      Array.from({ length: 4_000 }, (_, at) => (at * at * 31 + 7 * at + (at >> 3)) % 256),
    );
    expect(decodeText(data)).to.equal(undefined);
  });

  it("refuses text beyond ASCII that no known encoding makes sense of", () => {
    const bytes = Buffer.from(
      Array.from({ length: 400 }, (_, at) => (at % 7 === 0 ? 0x20 : 0xa1 + ((at * at * 31) % 90))),
    );
    expect(() => decodeText(bytes)).to.throw(DomainError, /encoding .* can't be told.*UTF-8/);
  });

  it("keeps UTF-8 that declares itself, though one byte is damaged", () => {
    expect(decodeText(Buffer.from("\xef\xbb\xbf\xc3\xa9 \xff", "latin1"))).to.equal("é \uFFFD");
  });

  it("allows a stray control character, and calls data with many of them no text", () => {
    expect(decodeText(Buffer.from(`${"word ".repeat(100)}\0\0\x01`))).to.be.a("string");
    expect(decodeText(Buffer.from("w\0o\0r\0d\0".repeat(100)))).to.equal(undefined);
    expect(decodeText(Buffer.from(`caf\xe9 word\x01 word\x02 `.repeat(100), "latin1"))).to.equal(undefined);
    expect(decodeText(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.alloc(40)]))).to.equal(undefined);
  });

  it("takes UTF-8 with many of them all the same, as a PDF without a usable character table gives", () => {
    const garbled = "words in between \x02\x15\x17 and \x06\x01\0 others\n".repeat(50);
    expect(decodeText(Buffer.from(garbled))).to.equal(garbled);
  });

  it("keeps form feeds and terminal escapes, which text files have", () => {
    const text = "\f\x1b[1mpage\x1b[0m\v\x1a".repeat(20);
    expect(decodeText(Buffer.from(text))).to.equal(text);
  });
});
