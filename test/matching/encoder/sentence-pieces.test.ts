import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect } from "chai";
import { loadSentencePieces } from "../../../src/matching/encoder/use-encoder.ts";
import { useEncoderFiles } from "../../support/encoder.ts";

describe("the pieces of a sentence", () => {
  const encoderFiles = useEncoderFiles();

  it("are those of the encoder's own tokeniser", async () => {
    const piecesOf = await loadSentencePieces(encoderFiles.files.pieces);
    // By the Python program of the encoder's package.
    const expected: [string, number[]][] = [
      [
        "The keeper's lamp, 12 naïve x\u0013y.",
        [1, 76, 74149, 11, 9, 24617, 7, 488, 163, 12747, 344, 257, 0, 52, 8, 2],
      ],
      [
        "灯台守は毎晩鯨油を運んだ。",
        [1, 6, 9516, 1106, 5785, 89, 17139, 42706, 72431, 1271, 153, 2106, 3094, 27, 2],
      ],
      ["กรุงเทพมหานคร", [1, 69417, 2]],
    ];
    for (const [sentence, pieces] of expected) expect(piecesOf(sentence)).to.deep.equal(pieces);
  });

  it("are none for an empty sentence and many for a long one", async () => {
    const piecesOf = await loadSentencePieces(encoderFiles.files.pieces);
    expect(piecesOf("")).to.deep.equal([1, 2]);
    expect(piecesOf("\ud800lamp")).to.deep.equal(piecesOf("\ufffdlamp"));
    expect(piecesOf("字".repeat(50_000))).to.have.lengthOf.above(50_000);
  });
});

describe("the package @agnai/sentencepiece-js", () => {
  it("is the one build that was read and tried, by its hash in the lock file and by the hash of its program", async () => {
    const name = "@agnai/sentencepiece-js";
    const { default: lock } = await import("../../../package-lock.json", { with: { type: "json" } });
    expect(lock.packages[`node_modules/${name}`].integrity).to.equal(
      "sha512-h2+XPrJVLuVLl+2+3iZPWcTw6Fs2NNulnxyh7LoI1hzHHib1wDC6KTmTrDJlLq7/lr5QFYpeMz2rlTFQrS0C0g==",
    );
    const program = await readFile(createRequire(import.meta.url).resolve(name));
    expect(createHash("sha256").update(program).digest("hex")).to.equal(
      "53d6058d8ef78a571a26120a89cdd4e3a0dabf5251a75175d36fd3c8921b8755",
    );
  });
});
