import { expect } from "chai";
import { EngineClient, type WireReport } from "../support/client.ts";
import {
  type Act,
  answerWith,
  cutAnswer,
  delayAnswer,
  editAnswer,
  FaultProxy,
  loseAnswer,
  truncateAnswer,
} from "../support/faults/fault-proxy.ts";
import {
  eachDocumentRefused,
  eachSearchRefused,
  eachSearchWith,
  itemsRefused,
  SHARD_AWAY,
  SHARD_FAILED,
  searchesRejected,
  TIMED_OUT,
  withMembers,
} from "../support/faults/faulty-answers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { testStores } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";

const SEARCH = /POST \/\S*chunks-read\/_msearch/;
const FORMS = /POST \/\S*chunks-read\/_mget/;
const WORDS = /\/\S*chunks-read\/_termvectors/;
const GENERATION = /GET \/\S*chunks-read\/_mapping/;
const BULK = /chunks-write\/_bulk/;
const REFRESH = /chunks-write\/_refresh/;

const PAGE = "<html><body><h1>502 Bad Gateway</h1></body></html>";
const OVERLOAD = { error: { type: "circuit_breaking_exception", reason: "too large" }, status: 429 };
const SHUT = { error: { type: "node_closed_exception", reason: "node closed" }, status: 500 };

/** Of whatever request. */
const ANY_REQUEST: readonly (readonly [string, Act])[] = [
  ["is refused by an overloaded server (429)", answerWith(429, OVERLOAD)],
  ["is refused by a node that shuts down (500)", answerWith(500, SHUT)],
  ["is answered by a load balancer's page with 502", answerWith(502, PAGE)],
  ["is answered by a load balancer's page with 504", answerWith(504, PAGE)],
  ["is answered by a load balancer's page with 200", answerWith(200, PAGE)],
  ["has an answer that is cut off in the middle", cutAnswer],
  ["has an answer that is lost whole", loseAnswer],
  ["has an answer whose JSON breaks off", truncateAnswer],
];

/** Of a check's requests alone: a part of the corpus did not take part. */
const PARTS: readonly (readonly [string, RegExp, Act])[] = [
  ["searches that time out", SEARCH, editAnswer(eachSearchWith(TIMED_OUT))],
  ["searches of which a shard failed", SEARCH, editAnswer(eachSearchWith(SHARD_FAILED))],
  ["searches of which a shard is with no node", SEARCH, editAnswer(eachSearchWith(SHARD_AWAY))],
  [
    "searches that are refused one by one",
    SEARCH,
    editAnswer(eachSearchRefused(503, "search_phase_execution_exception")),
  ],
  ["searches that are rejected one by one", SEARCH, editAnswer(searchesRejected(() => true))],
  [
    "chunks that are not read, as their shard failed",
    FORMS,
    editAnswer(eachDocumentRefused("no_shard_available_action_exception")),
  ],
];

const WRITES: readonly (readonly [string, RegExp, Act])[] = [
  [
    "a bulk of which every item is refused with 429",
    BULK,
    editAnswer(itemsRefused(429, "rejected_execution_exception")),
  ],
  [
    "a bulk of which some items are refused with 503",
    BULK,
    editAnswer(itemsRefused(503, "unavailable_shards_exception", (at) => at % 2 === 1)),
  ],
  [
    "a bulk of which some items are refused with 503 and one with 400",
    BULK,
    editAnswer((body) =>
      itemsRefused(
        400,
        "mapper_parsing_exception",
        (at) => at === 0,
      )(itemsRefused(503, "unavailable_shards_exception", (at) => at > 1)(body)),
    ),
  ],
  ["a bulk that leaves items out of its answer", BULK, editAnswer(withMembers({ items: [] }))],
  ["a bulk that meets a write block", BULK, editAnswer(itemsRefused(403, "cluster_block_exception"))],
  ["a refresh that fails on a shard", REFRESH, editAnswer(withMembers(SHARD_FAILED))],
  [
    "a refresh whose shard is with no node",
    REFRESH,
    editAnswer(withMembers({ _shards: { total: 1, successful: 0, failed: 0 } })),
  ],
];

/** A fault by its name, met by one request, or by as many as the client sends by itself until it gives up. */
type Case = { readonly name: string; readonly on: RegExp; readonly act: Act; readonly times: number };

/** A search is sent once; other requests are repeated twice by the client. */
const ONCE = 1;
const WITH_REPETITIONS = 3;

function whatever(what: string, on: RegExp, times: number): Case[] {
  return ANY_REQUEST.map(([name, act]) => ({ name: `${what} ${name}`, on, act, times }));
}

const IN_CHECKS: readonly Case[] = [
  ...whatever("a search", SEARCH, ONCE),
  ...PARTS.map(([name, on, act]) => ({ name, on, act, times: ONCE })),
  { name: "a search that is slow", on: SEARCH, act: delayAnswer(300), times: ONCE },
  { name: "a count of words that is cut off", on: WORDS, act: cutAnswer, times: WITH_REPETITIONS },
  { name: "a count of words that is a page", on: WORDS, act: answerWith(200, PAGE), times: ONCE },
  { name: "chunks whose reading is cut off", on: FORMS, act: cutAnswer, times: WITH_REPETITIONS },
  { name: "chunks whose reading is a page", on: FORMS, act: answerWith(200, PAGE), times: ONCE },
  { name: "a generation that is lost", on: GENERATION, act: loseAnswer, times: ONCE },
  { name: "a generation that is a page", on: GENERATION, act: answerWith(200, PAGE), times: ONCE },
];

const IN_UPLOADS: readonly Case[] = [
  ...whatever("a bulk", BULK, WITH_REPETITIONS),
  ...WRITES.map(([name, on, act]) => ({ name, on, act, times: ONCE })),
  { name: "a refresh that is lost", on: REFRESH, act: loseAnswer, times: WITH_REPETITIONS },
];

/** As many at once meet all of the faults in a few rounds. */
const CHECKS = 6;
const UPLOADS = 8;

describe("an OpenSearch that answers wrongly, in part or not at all", function () {
  this.timeout(600_000);
  let proxy: FaultProxy;
  let service: TestService;
  let client: EngineClient;
  let undisturbed: unknown;
  const source = prose(11, 700);
  const query = `${prose(12, 60)} ${source.slice(400, 2_400)} ${prose(13, 300)} ${source.slice(2_900, 3_900)}`;

  before(async function () {
    this.timeout(600_000);
    const { opensearchNodes } = await testStores();
    proxy = await FaultProxy.open(opensearchNodes[0] ?? "");
    service = await startTestService({ opensearchNodes: [proxy.url] });
    client = new EngineClient(service.base);
    await client.addDocument("source.txt", source);
    const report = await client.checked(query);
    expect(report.sources).to.have.lengthOf(1);
    undisturbed = findings(report);
  });
  afterEach(() => proxy.liftAll());
  after(async () => {
    await service?.stop();
    await proxy?.close();
  });

  /** Does work until every fault was met as often as it was to be. */
  async function throughAll(cases: readonly Case[], work: () => Promise<void>): Promise<void> {
    const faults = cases.map((one) => ({ ...one, fault: proxy.set(one) }));
    const left = () => faults.filter(({ fault, times }) => fault.met < times).map(({ name }) => name);
    while (left().length > 0) await work();
  }

  it("changes no report of a check, whatever its requests meet", () =>
    throughAll(IN_CHECKS, async () => {
      const reports = await Promise.all(Array.from({ length: CHECKS }, () => client.checked(query)));
      for (const report of reports) expect(findings(report)).to.deep.equal(undisturbed);
    }));

  it("leaves no upload behind and none half in the index, whatever its requests meet", async () => {
    let round = 0;
    const added = new Map<string, string>();
    await throughAll(IN_UPLOADS, async () => {
      round += 1;
      const texts = Array.from({ length: UPLOADS }, (_, at) => prose(100 * round + at, 400));
      const documents = await Promise.all(texts.map((text, at) => client.addDocument(`${at}.txt`, text)));
      for (const [at, { document_id }] of documents.entries()) added.set(document_id, texts[at] ?? "");
    });
    const { coverage, sources } = await client.checked([...added.values()].join(" "));
    expect([coverage, new Set(sources.map((one) => one.source_document_id))]).to.deep.equal([
      "full",
      new Set(added.keys()),
    ]);
    for (const { matched_chars } of sources) expect(matched_chars).to.be.above(2_000);
  });

  it("is waited for by a check as long as it takes: nothing is reported meanwhile, and then all of it", async () => {
    const fault = proxy.set({ on: SEARCH, act: answerWith(503, PAGE) });
    const checkId = await client.submit(query);
    await fault.metTimes(2);
    const waiting = await client.check(checkId);
    expect([waiting.status, waiting.coverage, waiting.overall_similarity_pct]).to.deep.equal([
      "running",
      null,
      null,
    ]);
    expect((await client.request("/health")).status).to.equal(200);
    fault.lift();
    expect((await client.ended(checkId)).status).to.equal("complete");
    expect(findings(await client.report(checkId))).to.deep.equal(undisturbed);
  });
});

describe("a part of the corpus that is not searched before the time budget is spent", function () {
  this.timeout(600_000);
  /** Two rounds of searches, as there is half a second between them. */
  const BUDGET_MS = 700;
  let proxy: FaultProxy;
  let service: TestService;
  let client: EngineClient;
  const source = prose(21, 400);

  before(async function () {
    this.timeout(600_000);
    const { opensearchNodes } = await testStores();
    proxy = await FaultProxy.open(opensearchNodes[0] ?? "");
    service = await startTestService({ opensearchNodes: [proxy.url], checkTimeBudgetMs: BUDGET_MS });
    client = new EngineClient(service.base);
    await client.addDocument("source.txt", source);
  });
  afterEach(() => proxy.liftAll());
  after(async () => {
    await service?.stop();
    await proxy?.close();
  });

  for (const [name, on, act] of PARTS) {
    it(`is never reported as searched: ${name}`, async () => {
      proxy.set({ on, act });
      const report = await client.checked(source);
      expect([report.coverage, report.coverage_reason]).to.deep.equal(["partial", "time_cap"]);
      expect(report.checked_chunks).to.equal(0);
      const metrics = await (await client.request("/metrics")).text();
      expect(metrics).to.match(/similarity_incomplete_searches_total\{reason="\w+"\} [1-9]/);
      expect(metrics).to.match(/similarity_checks_partial_total\{reason="incomplete_searches"\} [1-9]/);
    });
  }
});

function findings({
  check_id,
  created_at,
  completed_at,
  duration_seconds,
  corpus_sources,
  ...rest
}: WireReport) {
  return rest;
}
