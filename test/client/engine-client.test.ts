import { expect } from "chai";
import {
  createEngineClient,
  type EngineClient,
  ProblemError,
  type ProgressEvent,
  UnreachableError,
} from "../../src/client/index.ts";
import { useEngine } from "../support/use-engine.ts";

const COPIED =
  "The ferry to the island leaves at six in the morning, and whoever misses it waits until the tide turns.";
const QUERY = `We stayed at the harbour 🛥. ${COPIED} We did not sleep much, but the “quoted words of another” stayed.`;
const NO_CHECK = "01a1fdd2-fdd2-707b-bd4c-8ab108c3deaf";

describe("the client of the engine", () => {
  const engine = useEngine();
  let client: EngineClient;

  before(async () => {
    client = createEngineClient({ baseUrl: `${engine.client.base}/` });
    await engine.client.addDocument("ferry.txt", COPIED);
  });

  it("checks a text from submission to report, and tells of the way", async () => {
    const stages: ProgressEvent["stage"][] = [];
    const submitted: string[] = [];
    const report = await client.check(QUERY, {
      title: "Harbour",
      report: { offset_unit: "utf16" },
      onSubmitted: (checkId) => submitted.push(checkId),
      onProgress: ({ stage }) => stages.push(stage),
    });
    expect(report).to.include({ title: "Harbour", coverage: "full", offset_unit: "utf16" });
    const [[start, end] = [0, 0]] = report.unique_passages;
    expect(QUERY.slice(start, end)).to.contain(COPIED.slice(0, -1));
    expect(submitted).to.deep.equal([report.check_id]);
    expect(new Set(stages)).to.include("assembling");
  });

  it("checks a file, which keeps its name", async () => {
    const report = await client.check(new File([QUERY], "Hafen – für alle.txt"), { language: "en" });
    expect(report.title).to.equal("Hafen – für alle.txt");
    expect(report.sources.map(({ title }) => title)).to.deep.equal(["ferry"]);
  });

  it("has each operation on checks: submit, follow, look, list, rename, report, delete", async () => {
    const body = { query_text: QUERY, title: "Once" };
    const { check_id: checkId } = await client.submitCheck(body, { idempotencyKey: "key 1" });
    expect((await client.submitCheck(body, { idempotencyKey: "key 1" })).check_id).to.equal(checkId);
    const events = await Array.fromAsync(client.followCheck(checkId));
    expect(events.at(-1)).to.include({ check_id: checkId, status: "complete" });
    expect(events.slice(0, -1).every((event) => "stage" in event)).to.equal(true);
    expect(await client.getCheck(checkId)).to.include({ status: "complete", title: "Once" });
    expect((await client.renameCheck(checkId, { title: null })).title).to.equal(null);
    const { items, limit } = await client.listChecks({ limit: 1 });
    expect([limit, items[0]?.check_id]).to.deep.equal([1, checkId]);
    expect((await client.getCheckStats()).total_checks).to.be.above(0);
    const filtered = await client.getReport(checkId, {
      exclude_quotes: true,
      min_words: 3,
      match_types: ["identical", "minor_changes"],
      exclude_sources: [],
    });
    expect(filtered.filters?.applied).to.deep.equal({
      exclude_quotes: true,
      min_words: 3,
      match_types: ["identical", "minor_changes"],
    });
    expect(await client.deleteCheck(checkId)).to.equal(undefined);
    expect((await failure(client.getCheck(checkId))).code).to.equal("check_not_found");
  });

  it("has each operation on documents: upload, list, read, delete", async () => {
    const document = await client.uploadDocument(new File(["A text about nothing."], "nothing.md"), {
      title: "Nothing",
      source_url: "https://example.org/nothing",
    });
    expect(document).to.include({ title: "Nothing", media_type: "text/markdown" });
    const { document_id: documentId } = document;
    expect((await client.listDocuments()).items.map((item) => item.document_id)).to.include(documentId);
    expect((await client.getDocument(documentId)).extracted_text).to.equal("A text about nothing.");
    await client.deleteDocument(documentId);
    expect((await failure(client.getDocument(documentId))).code).to.equal("document_not_found");
  });

  it("asks the probes, and reads the metrics as text", async () => {
    expect(await client.getHealth()).to.deep.equal({ status: "ok" });
    expect((await client.getReadiness()).ready).to.equal(true);
    expect(await client.getMetrics()).to.match(/^# HELP /m);
  });

  it("throws an invalid request as a problem that names each fault", async () => {
    const problem = await failure(client.submitCheck({ query_text: "", language: "xyz" }));
    expect(problem).to.be.instanceOf(ProblemError).and.include({ status: 422, code: "invalid_input" });
    expect(problem.errors.map(({ field }) => field)).to.have.members(["query_text", "language"]);
    expect(problem.requestId).to.have.length.above(10);
    expect(problem.message).to.equal(problem.detail);
  });

  it("can't be led to another path by an identifier", async () => {
    expect((await failure(client.getCheck("../corpus/documents"))).code).to.equal("check_not_found");
  });

  it("throws at the first step when a check that is to be followed does not exist", async () => {
    const following = client.followCheck(NO_CHECK).next();
    expect((await failure(following)).code).to.equal("check_not_found");
  });

  it("ends with the signal's reason when its caller gives up", async () => {
    const reason = new Error("enough");
    const given = await client.getHealth({ signal: AbortSignal.abort(reason) }).catch((error) => error);
    expect(given).to.equal(reason);
    const { check_id: checkId } = await client.submitCheck({ query_text: QUERY });
    const following = client.followCheck(checkId, { signal: AbortSignal.abort(reason) }).next();
    expect(await following.catch((error) => error)).to.equal(reason);
  });

  it("sends the headers that it is given with each request", async () => {
    const sent: (string | null)[] = [];
    const own = createEngineClient({
      baseUrl: engine.client.base,
      headers: { Authorization: "Bearer x" },
      fetch: (url, init) => {
        sent.push(new Headers(init.headers).get("authorization"));
        return fetch(url, init);
      },
    });
    await own.check(QUERY);
    expect(new Set(sent)).to.deep.equal(new Set(["Bearer x"]));
    expect(sent).to.have.length(3);
  });

  it("adds no member twice when a batch of several requests is submitted again with its key", async () => {
    const keys: (string | null)[] = [];
    const members = Array.from({ length: 1_001 }, (_, at) => `Text ${at}.`);
    const batchIds: string[] = [];
    for (const _attempt of [1, 2]) {
      const stop = new AbortController();
      const own = createEngineClient({
        baseUrl: engine.client.base,
        fetch: (url, init) => {
          if (init.method === "POST") keys.push(new Headers(init.headers).get("idempotency-key"));
          else stop.abort();
          return fetch(url, init);
        },
      });
      const options = { idempotencyKey: "class 7", signal: stop.signal };
      const submission = own.checkTogether(members, {
        ...options,
        onSubmitted: (batchId) => batchIds.push(batchId),
      });
      expect(await submission.catch((error) => error.name)).to.equal("AbortError");
    }
    expect(keys).to.deep.equal(["class 7", "class 7-2", "class 7", "class 7-2"]);
    const [batchId = "", again] = batchIds;
    expect(again).to.equal(batchId);
    expect((await client.getBatch(batchId)).members_total).to.equal(1_001);
    await client.deleteBatch(batchId);
  }).timeout(120_000);

  it("refuses a key that has no room for the numbers of further requests, before anything is sent", async () => {
    const nowhere = createEngineClient({ baseUrl: "http://127.0.0.1:1" });
    const submit = (length: number) =>
      nowhere.checkTogether(["One.", "Two."], { idempotencyKey: "k".repeat(length) }).catch((error) => error);
    expect(await submit(251)).to.be.instanceOf(RangeError);
    expect(await submit(250)).to.be.instanceOf(UnreachableError);
  });

  it("says where nothing answers", async () => {
    const nowhere = createEngineClient({ baseUrl: "http://127.0.0.1:1/below" });
    const error = await nowhere.getHealth().catch((thrown) => thrown);
    expect(error).to.be.instanceOf(UnreachableError);
    expect(error.message).to.equal("No answer from http://127.0.0.1:1/below/health");
    expect(error.cause).to.be.instanceOf(TypeError);
  });
});

async function failure(request: Promise<unknown>): Promise<ProblemError> {
  const thrown = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof ProblemError) return thrown;
  throw new Error("no problem was thrown", { cause: thrown });
}
