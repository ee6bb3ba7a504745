import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { z } from "zod";
import { ENCODER_DATA_DIR, useEncoderFiles } from "../../support/encoder.ts";
import { useEngine } from "../../support/use-engine.ts";
import { compare } from "../comparisons/comparison-laws.ts";

const REPORTED = join(import.meta.dirname, "..", "..", "..", "..", "shared", "data", "reported");

/** A paragraph on the subject of another is independent: the subject, and not the text, is the same. */
describe("texts that were written independently on one subject", function () {
  this.timeout(120_000);
  useEncoderFiles();
  const engine = useEngine({ semantic: true, dataDir: ENCODER_DATA_DIR });

  before(function () {
    if (existsSync(REPORTED)) return;
    if (process.env.REQUIRE_SHARED_DATA === "1")
      throw new Error(`the reported texts are missing: ${REPORTED}`);
    console.warn(`      skipped: ${REPORTED} does not exist`);
    this.skip();
  });

  it("are not reported beside copied paragraphs, one of which was moved", async () => {
    const { query_text, source_text } = z
      .object({ query_text: z.string(), source_text: z.string() })
      .parse(JSON.parse(await readFile(join(REPORTED, "false-paraphrase.json"), "utf8")));
    const comparison = await compare(engine.client, query_text, source_text);
    const runs = comparison.passages.flatMap((passage) => passage.runs);
    expect(runs.filter(({ match_type }) => match_type === "paraphrased")).to.deep.equal([]);
    expect(comparison.query.overall_similarity_pct).to.be.within(77, 79.5);
  });

  it("are not reported for the usual sentences on methods", async () => {
    const [query = "", source = ""] = await Promise.all(
      ["query", "source"].map((side) => readFile(join(REPORTED, `independent-methods-${side}.txt`), "utf8")),
    );
    expect((await compare(engine.client, query, source)).passages).to.deep.equal([]);
  });
});
