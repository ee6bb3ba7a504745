import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { extractText } from "../../../src/extract/extract-text.ts";
import { MEDIA_TYPES } from "../../../src/extract/text/extracted-text.ts";
import type { WireReport } from "../../support/client.ts";
import { useEngine } from "../../support/use-engine.ts";

const REPORTED = join(import.meta.dirname, "..", "..", "..", "..", "shared", "data", "reported");

type Right = {
  /** The similarity in percent, at least and at most. */
  readonly pct: readonly [min: number, max?: number];
  readonly flags?: readonly WireReport["integrity_flags"][number]["kind"][];
  readonly query?: string;
};

/** By file, what a report about it has to say. */
const RIGHT: Readonly<Record<string, Right>> = {
  "disguise-middle-dots.txt": { pct: [98], flags: ["garbled_text"] },
  "disguise-emoji-in-words.txt": { pct: [98], flags: ["garbled_text"] },
  "disguise-numbers-after-words.txt": { pct: [98], flags: [] },
  "disguise-leet.txt": { pct: [90], flags: ["garbled_text"] },
  "disguise-no-spaces.txt": { pct: [0], flags: ["garbled_text"] },
  "rlo-whole-text.txt": { pct: [98], flags: ["bidi_controls"] },
  "quote-two-paragraphs.txt": { pct: [0, 0], query: "?exclude_quotes=true" },
  "fallback-of-unknown-choice.docx": { pct: [70, 80], flags: [] },
  "letters-as-w-sym.docx": { pct: [98], flags: [] },
  "wordart.docx": { pct: [70, 80], flags: [] },
  "hidden-vanish-words.docx": { pct: [98], flags: ["hidden_text"] },
  "hidden-white-letters-for-spaces.docx": { pct: [98], flags: ["hidden_text"] },
  "hidden-white-quotation-marks.docx": { pct: [98], flags: ["hidden_text"], query: "?exclude_quotes=true" },
  "cp1251.txt": { pct: [98], flags: [] },
};

describe("documents that users of other products have complained about", () => {
  const engine = useEngine();

  before(async function () {
    if (!existsSync(REPORTED)) {
      if (process.env.REQUIRE_SHARED_DATA === "1")
        throw new Error(`the reported files are missing: ${REPORTED}`);
      console.warn(`      skipped: ${REPORTED} does not exist`);
      return this.skip();
    }
    for (const language of ["bells-en", "ru"])
      await engine.client.addDocument(
        `${language}.txt`,
        readFileSync(join(REPORTED, `corpus-${language}.txt`), "utf8"),
      );
  });

  it("keep a copied footnote and its source when the bibliography is excluded", async () => {
    const bytes = readFileSync(join(REPORTED, "footnote-copied.docx"));
    const { text } = await extractText(bytes, {
      filename: "a.docx",
      accept: MEDIA_TYPES,
      textCharsMax: 1_000_000,
    });
    const note =
      text.split("\n\n").find((paragraph) => paragraph.trim().startsWith("A commission was formed")) ?? "";
    expect(note.length).to.be.above(700);
    const { document_id } = await engine.client.addDocument("dam.txt", note.trim());
    const { check_id } = await engine.client.checkedFile("footnote-copied.docx", bytes);
    for (const query of ["", "?exclude_bibliography=true"]) {
      const { sources } = await engine.client.report(check_id, query);
      const source = sources.find((one) => one.source_document_id === document_id);
      expect(source?.matched_chars, query).to.be.at.least(700);
    }
  });

  for (const [name, { pct, flags, query = "" }] of Object.entries(RIGHT)) {
    it(`are read as they are seen: ${name}`, async () => {
      const { check_id } = await engine.client.checkedFile(name, readFileSync(join(REPORTED, name)));
      const report = await engine.client.report(check_id, query);
      const [min, max = 100] = pct;
      expect(report.overall_similarity_pct).to.be.within(min, max);
      if (flags !== undefined)
        expect([...new Set(report.integrity_flags.map(({ kind }) => kind))]).to.deep.equal(flags);
    });
  }
});
