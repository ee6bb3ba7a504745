import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "chai";
import { pino } from "pino";
import { openCorpus } from "../../src/service/connect-corpus.ts";
import { deletingSubmissions } from "../../src/service/core-api.ts";
import { childEnvironment } from "../support/processes/child-environment.ts";
import { corpusEnvironment } from "../support/processes/corpus-environment.ts";
import { prose } from "../support/work/prose.ts";
import { useCoreApi } from "./use-core-api.ts";

const INDEXED = { indexing_settings: { add_to_index: true } };

describe("deleting submissions", function () {
  this.timeout(120_000);
  const api = useCoreApi();

  async function command(...args: string[]) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["scripts/core-api/delete.ts", ...args, "--json"],
      { env: childEnvironment({ ...corpusEnvironment(api.options), SEMANTIC: "off" }) },
    );
    return JSON.parse(stdout);
  }

  it("a person's request: what is kept is shown, then deleted with the report, the document and the accepted terms", async () => {
    const text = prose(300, 200);
    await api.first.expect(200, "POST", "/eula/v1/accept", { user_id: "ida" });
    const { submission_id: id } = await api.first.report(text, INDEXED, { owner: "ida", submitter: "ida" });
    await api.first.report(prose(301, 100), INDEXED, { owner: "tom" });
    const shown = await command("--owner", "ida");
    expect(shown.submissions).to.have.lengthOf(1);
    expect(shown.submissions[0]).to.include({
      id,
      key: "first",
      owner: "ida",
      title: "The tide",
      is_indexed: true,
    });
    expect((await api.first.report(text, {}, { owner: "tom" })).overall_match_percentage).to.equal(100);

    expect(await command("--owner", "ida", "--yes")).to.deep.equal({
      deleted: 1,
      acceptances: 1,
      submissions: [id],
    });
    expect((await command("--owner", "ida")).submissions).to.deep.equal([]);
    await api.first.expect(404, "GET", `/submissions/${id}`);
    await api.first.expect(404, "GET", "/eula/v1/accept/ida");
    expect((await api.first.report(text, {}, { owner: "tom" })).overall_match_percentage).to.equal(0);
  });

  it("by group and key", async () => {
    const within = { metadata: { group: { id: 77 } } };
    const own = await api.first.create(within);
    const other = await api.second.create(within);
    expect(await command("--group", "77", "--key", "first", "--yes")).to.deep.include({
      deleted: 1,
      submissions: [own],
    });
    await api.second.expect(200, "GET", `/submissions/${other}`);
  });

  it("by age, and those that never got a file after a week", async () => {
    const empty = await api.first.create({ owner: "empty" });
    const { id: full } = await api.first.submit(prose(310, 50), { owner: "full" });
    const corpus = await openCorpus(api.options, pino({ level: "silent" }));
    try {
      const deleting = deletingSubmissions(corpus);
      const { signal } = new AbortController();
      const inDays = (days: number) => Date.now() + days * 86_400_000;
      await deleting.old(30, signal, inDays(6));
      await api.first.expect(200, "GET", `/submissions/${empty}`);
      await deleting.old(30, signal, inDays(8));
      await api.first.expect(404, "GET", `/submissions/${empty}`);
      await api.first.expect(200, "GET", `/submissions/${full}`);
      await deleting.old(undefined, signal, inDays(10_000));
      await api.first.expect(200, "GET", `/submissions/${full}`);
      await deleting.old(30, signal, inDays(31));
      await api.first.expect(404, "GET", `/submissions/${full}`);
    } finally {
      await corpus.close();
    }
  });
});
