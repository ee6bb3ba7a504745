import { existsSync, readdirSync, readFileSync } from "node:fs";
import { expect } from "chai";
import fc from "fast-check";
import { createExtractor, type Extractor } from "../../src/extract/extractor.ts";
import { MEDIA_TYPES } from "../../src/extract/text/extracted-text.ts";
import { DomainError } from "../../src/platform/domain-error.ts";
import { line, makeDocx, makePdf, paragraph } from "./made-documents.ts";

const SHARED = new URL("../../../shared/data/documents/", import.meta.url);

/** Larger ones would mostly be mutated where nothing is looked at. */
const FILE_BYTES_MAX = 300_000;

const TEXT_CHARS_MAX = 500_000;

/** What can be wrong with a file; any other error is a fault of ours. */
const REFUSALS: ReadonlySet<string> = new Set([
  "unsupported_file_type",
  "unreadable_file",
  "no_extractable_text",
  "text_too_long",
]);

type Options = { readonly runs: number; readonly seed: number; readonly sharedFiles: boolean };

/** Describes that a file of any bytes gives a text that can be stored, or the right kind of error, and never neither. */
export function readsMutatedFiles({ runs, seed, sharedFiles }: Options): void {
  describe(`the extractor: ${runs.toLocaleString("en")} files that no program wrote`, function () {
    // A file that hangs is given up after 60 s and counted as unreadable; this is for the whole of the runs.
    this.timeout(Math.max(120_000, runs * 1_000));
    const files = [...madeFiles(), ...(sharedFiles ? readShared() : [])];
    let extractor: Extractor;

    before(() => {
      extractor = createExtractor({ processes: 2 });
    });
    after(() => extractor.close());

    it("of random bytes, with the beginning of some format or without", () =>
      holds(
        fc
          .tuple(
            fc.constantFrom("", "%PDF-1.7\n", "PK\x03\x04", "\xff\xfe", "\xef\xbb\xbf", "<html>"),
            bytes(3_000),
          )
          .map(([head, tail]) => Buffer.concat([Buffer.from(head, "latin1"), tail])),
      ));

    it("of a real file with bytes changed, left out, doubled and put in", () =>
      holds(
        fc
          .tuple(fc.constantFrom(...files), fc.array(mutation, { minLength: 1, maxLength: 12 }))
          .map(([file, mutations]) => mutations.reduce(mutate, file)),
      ));

    it("of pieces of two real files", () =>
      holds(
        fc
          .tuple(fc.constantFrom(...files), fc.constantFrom(...files), share, share)
          .map(([one, other, upTo, from]) =>
            Buffer.concat([one.subarray(0, at(one, upTo)), other.subarray(at(other, from))]),
          ),
      ));

    function holds(anyFile: fc.Arbitrary<Buffer>): Promise<void> {
      const property = fc.asyncProperty(
        anyFile,
        fc.constantFrom("a.pdf", "a.docx", "a.txt", "a.md"),
        expectTextOrRefusal,
      );
      return fc.assert(property, { seed, numRuns: runs });
    }

    async function expectTextOrRefusal(file: Buffer, filename: string): Promise<void> {
      const options = { filename, accept: MEDIA_TYPES, textCharsMax: TEXT_CHARS_MAX };
      const text = await extractor.extract(file, options).then((read) => read.text, refusal);
      if (text === undefined) return;
      expect(text.isWellFormed()).to.equal(true);
      expect(text).not.to.include("\0");
      expect(text.trim()).not.to.equal("");
      expect([...text].length).to.be.at.most(TEXT_CHARS_MAX);
    }
  });
}

function refusal(error: unknown): undefined {
  if (error instanceof DomainError && REFUSALS.has(error.code) && error.message !== "") return undefined;
  throw error;
}

type Mutation = {
  readonly kind: "change" | "leave out" | "double" | "put in";
  readonly where: number;
  readonly bytes: Buffer;
};

const share = fc.double({ min: 0, max: 1, noNaN: true });

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("change", "leave out", "double", "put in"),
  where: share,
  bytes: fc.oneof({ weight: 3, arbitrary: bytes(4) }, bytes(200)),
});

function bytes(lengthMax: number): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ minLength: 1, maxLength: lengthMax }).map((array) => Buffer.from(array));
}

function mutate(file: Buffer, { kind, where, bytes: piece }: Mutation): Buffer {
  const from = at(file, where);
  const [head, rest, after] = [
    file.subarray(0, from),
    file.subarray(from),
    file.subarray(from + piece.length),
  ];
  switch (kind) {
    case "change":
      return Buffer.concat([head, piece, after]);
    case "leave out":
      return Buffer.concat([head, after]);
    case "double":
      return Buffer.concat([head, rest.subarray(0, piece.length), rest]);
    case "put in":
      return Buffer.concat([head, piece, rest]);
    default:
      return kind satisfies never;
  }
}

function at(file: Buffer, where: number): number {
  return Math.floor(where * file.length);
}

function madeFiles(): Buffer[] {
  return [
    makePdf({ pages: [line("Hello brave new world"), line("and a second page")] }),
    makeDocx({ body: paragraph("Hello from Word") + paragraph("and again"), footnotes: paragraph("A note") }),
    Buffer.from("Plain text, naïve and “quoted”.\r\nA second line.\n"),
    Buffer.from("\ufeffUTF-16 with its mark", "utf16le"),
  ];
}

/** Real files; none where the folder is not there. */
function readShared(): Buffer[] {
  if (!existsSync(SHARED)) {
    if (process.env.REQUIRE_SHARED_DATA === "1")
      throw new Error(`the shared documents are missing: ${SHARED}`);
    console.log("      the shared documents are not here: only files that the tests make are mutated");
    return [];
  }
  return readdirSync(SHARED)
    .filter((name) => /\.(?:pdf|docx|docm|rtf|doc)$/.test(name))
    .map((name) => readFileSync(new URL(name, SHARED)))
    .filter((file) => file.length > 0 && file.length <= FILE_BYTES_MAX);
}
