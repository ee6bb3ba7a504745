import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { z } from "zod";
import { childEnvironment } from "../../support/processes/child-environment.ts";
import { corpusEnvironment } from "../../support/processes/corpus-environment.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts, makeOld } from "./damaged-corpus.ts";

const SCRIPT = fileURLToPath(new URL("../../../scripts/corpus/verify.ts", import.meta.url));

const Difference = z.object({ count: z.int(), documentIds: z.array(z.string()) });
const State = z.object({
  counts: z.looseObject({ documents: z.int(), chunks: z.int(), indexedChunks: z.int() }),
  differences: z.object({ missing: Difference, pending: Difference, extra: Difference }),
  sampled: z.int(),
  faults: z.array(z.object({ documentId: z.string(), faults: z.array(z.string()) })),
  agrees: z.boolean(),
});
const Result = State.extend({
  found: State,
  repaired: z.object({ mended: z.int(), failed: z.int() }).nullable(),
});

describe("npm run corpus:verify", () => {
  const made = useCorpus();
  let ids: readonly string[];

  before(async () => {
    ids = await addTexts(
      made.corpus,
      Array.from({ length: 25 }, (_, seed) => prose(seed, 120)),
    );
    await makeOld(made.corpus);
  });

  /** The command as a user runs it, on the stores of this test. */
  function run(...args: string[]): Promise<{ status: unknown; stdout: string; stderr: string }> {
    const env = childEnvironment({ ...corpusEnvironment(made.options), LOG_LEVEL: "silent" });
    return new Promise((resolve) => {
      execFile(process.execPath, [SCRIPT, ...args], { env }, (error, stdout, stderr) =>
        resolve({ status: error === null ? 0 : error.code, stdout, stderr }),
      );
    });
  }

  it("exits with 0 when both sides agree, and shows the counts", async () => {
    const { status, stdout } = await run();
    expect([status, stdout.trimEnd().split("\n").at(-1)]).to.deep.equal([0, "They agree."]);
    expect(stdout).to.match(/^documents +25 +25$/m);
    expect(stdout).to.match(/^ {2}pending +0/m);
    expect(stdout).to.match(/^compared in full +25/m);
  });

  it("exits with 1 when they differ, and lists twenty documents of each kind", async () => {
    await made.corpus.database.query("delete from document_chunks");
    const { status, stdout } = await run("--samples", "0");
    expect([status, stdout.trimEnd().split("\n").at(-1)]).to.deep.equal([1, "They differ."]);
    expect(stdout).to.match(/^not fingerprinted in time +25 /m);
    expect(stdout).to.include(`${ids[19]} and 5 more`).and.not.to.include(ids[20]);
  });

  it("--repair repairs, compares again, and exits by the second result", async () => {
    const [first = "", second = ""] = ids;
    await made.corpus.fingerprintDocuments(ids);
    const index = made.corpus.chunkIndex.readAlias;
    const update = { doc: { fingerprint: "words that nobody wrote" } };
    await made.corpus.opensearch.delete({ index, id: `${first}:0`, routing: first, refresh: true });
    const place = { index, id: `${second}:0`, routing: second };
    await made.corpus.opensearch.update({ ...place, body: update, refresh: true });

    const { status, stdout, stderr } = await run("--repair", "--json");
    const result = Result.parse(JSON.parse(stdout));
    expect([status, result.agrees, result.found.agrees]).to.deep.equal([0, true, false]);
    expect(result.repaired).to.deep.equal({ mended: 2, failed: 0 });
    expect(result.found.differences.missing).to.deep.equal({ count: 1, documentIds: [first] });
    expect(result.found.faults.map(({ documentId }) => documentId)).to.have.members([first, second]);
    expect([result.faults, result.sampled]).to.deep.equal([[], 25]);
    expect(stderr).to.include("They differ.").and.to.include("They agree.");
    expect((await run("--repair", "--json")).status).to.equal(0);
  });

  it("--repair exits with 1 when something can't be repaired", async () => {
    const [, , lost = ""] = ids;
    await made.corpus.database.query("update text_sections set body = 'x' where document_id = $1", [lost]);
    const { status, stdout } = await run("--repair", "--json");
    const result = Result.parse(JSON.parse(stdout));
    expect([status, result.repaired]).to.deep.equal([1, { mended: 0, failed: 1 }]);
    expect(result.faults).to.deep.equal([{ documentId: lost, faults: ["its text can't be unpacked"] }]);
  });

  it("exits with 2 for wrong usage, before it connects to any store, and shows its usage", async () => {
    for (const args of [["--samples", "many"], ["--samples=-1"], ["--fix"], ["folder"]]) {
      const { status, stdout, stderr } = await run(...args);
      expect([status, stdout], args.join(" ")).to.deep.equal([2, ""]);
      expect(stderr).to.include("Usage: npm run corpus:verify");
    }
    const help = await run("--help");
    expect([help.status, help.stderr]).to.deep.equal([0, ""]);
    expect(help.stdout).to.match(/^Usage: npm run corpus:verify/);
  });
}).timeout(600_000);
