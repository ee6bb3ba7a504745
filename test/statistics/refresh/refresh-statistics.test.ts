import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import {
  createRefreshStatistics,
  type RefreshOptions,
  type RefreshResult,
} from "../../../src/statistics/refresh-statistics.ts";
import { type SourceServer, startSource } from "../../support/servers/source-server.ts";
import { NOON, settingsFor } from "../use-fetch-context.ts";
import { refusal } from "../written-file.ts";
import { retractionsOf, SixSources } from "./six-sources.ts";
import { useRefreshDatabase } from "./use-refresh-database.ts";

const WINDOW = "2016-2020";

describe("refreshing the statistics", function () {
  this.timeout(120_000);
  const statistics = useRefreshDatabase();
  let sources: SixSources;
  let server: SourceServer;
  let dataDir: string;

  beforeEach(async () => {
    sources = new SixSources();
    server = await startSource((question) => sources.reply(question));
    dataDir = await mkdtemp(join(tmpdir(), "refreshed-"));
  });
  afterEach(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true });
  });

  function refresh(
    options: Partial<RefreshOptions> = {},
    now = NOON,
    pauseFactor = 0,
  ): Promise<RefreshResult> {
    const { database, databaseUrl } = statistics;
    const refreshStatistics = createRefreshStatistics({
      ...{ database, databaseUrl, dataDir, pauseFactor, clock: () => now },
      loadStatistics: createLoadStatistics({ database }),
      settings: settingsFor(server),
    });
    return refreshStatistics({ signal: new AbortController().signal, ...options });
  }

  function kinds({ outcomes }: RefreshResult) {
    return Object.fromEntries(outcomes.map(({ part, kind }) => [part, kind]));
  }

  async function papersOfGermany() {
    const rows = await statistics.store.countries(statistics.database, WINDOW);
    return rows.find(({ code }) => code === "DE")?.papers;
  }

  it("fetches and loads all six parts, and asks OpenAlex about the papers that it has just loaded", async () => {
    const result = await refresh();
    expect(kinds(result)).to.deep.equal({
      ...{ retractions: "loaded", works: "loaded", organisations: "loaded" },
      ...{ cases: "loaded", news: "loaded", publications: "loaded" },
    });
    const { database, store } = statistics;
    expect(await papersOfGermany()).to.equal(3);
    const [institution] = await store.institutions(database, WINDOW, { below: true });
    expect(institution).to.include({ name: "ETH Zurich", papers: 3, publications: 15_000 });
    expect(await store.cases(database, undefined)).to.have.length(1);
    expect((await store.news(database)).articles).to.have.length(13);
    const { sources: cited, datasetVersion } = await store.dataset(database);
    expect(result.datasetVersion).to.equal(datasetVersion);
    expect(cited.find(({ id }) => id === "publications")).to.deep.include({
      name: "OpenAlex (publications: article, review, conference-paper)",
      license: "CC0-1.0",
      retrieved_at: NOON.toISOString(),
    });
  });

  it("loads nothing again that has not changed, but says that it is fresh", async () => {
    await refresh();
    const before = await statistics.store.dataset(statistics.database);
    const later = new Date(NOON.getTime() + 3_600_000);
    const result = await refresh({ parts: ["retractions", "works", "organisations", "cases"] }, later);
    expect(new Set(Object.values(kinds(result)))).to.deep.equal(new Set(["unchanged"]));
    const after = await statistics.store.dataset(statistics.database);
    expect(after).to.deep.include({ datasetVersion: before.datasetVersion, generatedAt: before.generatedAt });
    expect(after.sources.find(({ id }) => id === "retraction-watch")?.retrieved_at).to.equal(
      later.toISOString(),
    );
  });

  it("keeps the news that GDELT has forgotten", async () => {
    await refresh({ parts: ["news"] });
    const month = new Date(NOON.getTime() + 30 * 86_400_000);
    await refresh({ parts: ["news"] }, month);
    const { articles } = await statistics.store.news(statistics.database);
    expect(articles.length).to.be.above(13);
    expect(articles.some(({ url }) => url.endsWith("20260824"))).to.equal(true);
  });

  it("refreshes the others when a source fails, whose old data stay", async () => {
    await refresh();
    sources.broken = "/retraction_watch.csv";
    const said: string[] = [];
    const result = await refresh({ parts: ["retractions", "cases"], say: (line) => said.push(line) });
    expect(kinds(result)).to.deep.equal({ retractions: "failed", cases: "unchanged" });
    expect(said.join("\n")).to.match(/retractions: failed, the old data stay: .* status 403: out of order/);
    const attempts = await statistics.store.attempts(statistics.database);
    expect(attempts.find(({ source }) => source === "wikipedia")?.failure).to.equal(null);
    const failed = attempts.find(({ source }) => source === "retraction-watch");
    expect(failed?.attemptedAt).to.equal(NOON.toISOString());
    expect(failed?.failure).to.match(/status 403: out of order/);
    expect(await papersOfGermany()).to.equal(3);
  });

  it("leaves everything as it was when a fetched file is refused, and fetches it again the next time", async () => {
    await refresh();
    sources.retractions = retractionsOf(5).replace("5/6/2018", "soon");
    const refused = await refresh({ parts: ["retractions"] });
    expect(refused.outcomes[0])
      .to.have.property("reason")
      .that.matches(/row 2, column OriginalPaperDate/);
    expect(await papersOfGermany()).to.equal(3);
    sources.retractions = retractionsOf(5);
    expect(kinds(await refresh({ parts: ["retractions"] }))).to.deep.equal({ retractions: "loaded" });
    expect(await papersOfGermany()).to.equal(5);
  });

  it("fetches everything anew on demand", async () => {
    await refresh({ parts: ["retractions", "organisations"] });
    const asked = server.questions.length;
    await refresh({ parts: ["retractions", "organisations"], anew: true });
    expect(server.questions).to.have.length(2 * asked);
    expect(server.questions.at(asked)?.headers["if-none-match"]).to.equal(undefined);
  });

  it("fetches anew what can't be read any more, as after an update of the program", async () => {
    await refresh({ parts: ["retractions", "works"] });
    const journal = join(dataDir, "statistics", "works", "answers.jsonl");
    await writeFile(journal, '{"of":"another version"}\n');
    const said: string[] = [];
    const result = await refresh({ parts: ["works"], say: (line) => said.push(line) });
    expect(kinds(result)).to.deep.equal({ works: "unchanged" });
    expect(said[1]).to.match(/^works: .* fetching again \(answers\.jsonl is damaged\)/);
  });

  it("is done by one process at a time", async () => {
    const stopping = new AbortController();
    const started = Promise.withResolvers<void>();
    const say = () => started.resolve();
    // With its real pauses it is still at its first question when the other one comes.
    const first = refusal(refresh({ parts: ["news"], signal: stopping.signal, say }, NOON, 1));
    await started.promise;
    expect(await refusal(refresh())).to.equal("Another refresh of the statistics is already running.");
    stopping.abort(new Error("enough"));
    expect(await first).to.equal("enough");
    expect((await refresh({ parts: ["cases"] })).outcomes).to.have.length(1);
  });

  it("ends with the signal's reason, and goes on the next time", async () => {
    const stopping = new AbortController();
    const counted = () =>
      server.questions
        .filter(({ parameters }) => parameters.has("group_by"))
        .map(({ parameters }) => parameters.toString());
    const onProgress = () => {
      if (counted().length >= 50) stopping.abort(new Error("enough"));
    };
    expect(await refusal(refresh({ signal: stopping.signal, onProgress }))).to.equal("enough");
    expect(counted(), "it stops at once").to.have.length.below(55);
    expect((await refresh({ parts: ["publications"] })).outcomes[0]).not.to.have.property("reason");
    // Two pages for each of three dimensions and twenty years; the one that was stopped may be asked for again.
    expect(new Set(counted())).to.have.property("size", 120);
    expect(counted()).to.have.length.within(120, 121);
  });
});

describe("refreshing the works before there are papers", () => {
  const statistics = useRefreshDatabase();

  it("fails and says what to fetch first", async () => {
    const { database, databaseUrl } = statistics;
    const refreshStatistics = createRefreshStatistics({
      ...{ database, databaseUrl, dataDir: tmpdir(), loadStatistics: createLoadStatistics({ database }) },
      settings: settingsFor({ base: "http://127.0.0.1:9" }),
    });
    const { outcomes, datasetVersion } = await refreshStatistics({
      parts: ["works"],
      signal: new AbortController().signal,
    });
    expect(outcomes[0])
      .to.have.property("reason")
      .that.matches(/fetch the retractions first/);
    expect(datasetVersion).to.equal(null);
  });
});
