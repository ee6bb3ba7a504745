import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createLoadStatistics } from "../../../src/statistics/load/load-statistics.ts";
import type { PartName } from "../../../src/statistics/load/parts.ts";
import { createRefreshStatistics } from "../../../src/statistics/refresh-statistics.ts";
import { type SourceServer, startSource } from "../../support/servers/source-server.ts";
import { NOON, settingsFor } from "../use-fetch-context.ts";
import { casesOf, retractionsOf, SixSources } from "./six-sources.ts";
import { useRefreshDatabase } from "./use-refresh-database.ts";

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(NOON.getTime() - days * DAY_MS).toISOString();

describe("a refresh from a source that has failed, which would publish wrong figures", function () {
  this.timeout(120_000);
  const statistics = useRefreshDatabase();
  let sources: SixSources;
  let server: SourceServer;
  let dataDir: string;

  const CASES = 18;
  const standing = { revid: 7, timestamp: daysAgo(30), wikitext: casesOf(CASES) };

  beforeEach(async () => {
    sources = new SixSources();
    sources.retractions = retractionsOf(40);
    sources.revisions = [standing];
    server = await startSource((question) => sources.reply(question));
    dataDir = await mkdtemp(join(tmpdir(), "refreshed-"));
    await refresh(["retractions", "works", "cases"], { accepts: true });
  });
  afterEach(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true });
  });

  async function refresh(
    parts: readonly PartName[],
    {
      accepts = false,
      timeoutFactor = 1,
    }: { readonly accepts?: boolean; readonly timeoutFactor?: number } = {},
  ) {
    const { database, databaseUrl } = statistics;
    const refreshStatistics = createRefreshStatistics({
      ...{ database, databaseUrl, dataDir, pauseFactor: 0, timeoutFactor, clock: () => NOON },
      loadStatistics: createLoadStatistics({ database }),
      settings: settingsFor(server),
    });
    const { outcomes } = await refreshStatistics({ parts, accepts, signal: new AbortController().signal });
    const [outcome] = outcomes;
    return outcome?.kind === "failed" ? outcome.reason : outcome?.kind;
  }

  /** What the answers are made of. */
  async function published() {
    const [papers] = await statistics.database.query("select count(*) as papers from statistics_papers");
    const cases = await statistics.store.cases(statistics.database, undefined);
    const { datasetVersion } = await statistics.store.dataset(statistics.database);
    return { papers, cases, datasetVersion };
  }

  async function expectRefused(part: PartName, reason: RegExp) {
    const before = await published();
    expect(await refresh([part])).to.match(reason);
    expect(await published(), "the old data stay").to.deep.equal(before);
    const attempts = await statistics.store.attempts(statistics.database);
    expect(
      attempts.some(({ failure }) => reason.test(failure ?? "")),
      "the attempt is recorded",
    ).to.equal(true);
  }

  it("keeps the old data when reasons are renamed", async () => {
    sources.retractions = retractionsOf(40, "+Unattributed Copying;");
    await expectRefused("retractions", /not plausible \(papers: 0, 40 before/);
    const renamed = retractionsOf(20).trim().split("\n");
    const others = retractionsOf(40, "+Plagiarised Text;").trim().split("\n").slice(21);
    sources.retractions = [...renamed, ...others, ""].join("\n");
    await expectRefused(
      "retractions",
      /papers: 20, 40 before.*papers with the unknown reason “Plagiarised Text”: 20, none before/,
    );
  });

  it("keeps them for a single new reason with the word plagiarism, until it is accepted", async () => {
    sources.retractions = retractionsOf(40, "+Plagiarism of Text;+Plagiarism of Idea;");
    await expectRefused("retractions", /unknown reason “Plagiarism of Idea”: 40, none before\)/);
    expect(await refresh(["retractions"], { accepts: true })).to.equal("loaded");
    sources.retractions = retractionsOf(41, "+Plagiarism of Text;+Plagiarism of Idea;");
    expect(await refresh(["retractions"]), "it is known now").to.equal("loaded");
  });

  it("keeps them when half a file comes, or far too much", async () => {
    sources.retractions = retractionsOf(20);
    await expectRefused("retractions", /retractions: 20, 40 before; papers: 20, 40 before/);
    sources.retractions = retractionsOf(61);
    await expectRefused("retractions", /papers: 61, 40 before/);
    sources.retractions = retractionsOf(36);
    expect(await refresh(["retractions"]), "10% less").to.equal("loaded");
    sources.retractions = retractionsOf(54);
    expect(await refresh(["retractions"]), "50% more").to.equal("loaded");
    sources.retractions = retractionsOf(2);
    expect(await refresh(["retractions"], { accepts: true })).to.equal("loaded");
    expect((await published()).papers).to.deep.equal({ papers: 2 });
  });

  it("keeps them when a column has drifted: no place, another nature, or a field that none of the works has", async () => {
    const [header, ...rows] = retractionsOf(40).trim().split("\n");
    sources.retractions = [header, ...rows.map((row) => row.replace("Germany", "DEU-276")), ""].join("\n");
    await expectRefused("retractions", /papers with a place: 0, 40 before; places: 0, 1 before/);
    sources.retractions = [header, ...rows.map((row) => row.replace(",Retraction,", ",10.1000/x,")), ""].join(
      "\n",
    );
    await expectRefused("retractions", /row 2, column RetractionNature: must be Retraction/);
    sources.worksHaveFields = false;
    await rm(join(dataDir, "statistics", "works"), { recursive: true });
    await expectRefused("works", /works with a field: 0, 40 before/);
  });

  it("loads a file with a few unknown values of a column, without their rows", async () => {
    const [header, ...rows] = retractionsOf(40).trim().split("\n");
    const odd = rows.map((row, index) => (index < 2 ? row.replace(",Retraction,", ",Withdrawal,") : row));
    sources.retractions = [header, ...odd, ""].join("\n");
    expect(await refresh(["retractions"])).to.equal("loaded");
    expect((await published()).papers).to.deep.equal({ papers: 38 });
  });

  it("takes no notice of vandalism that was not there for a week", async () => {
    const slander = casesOf(CASES).replace("'''Case 1'''", "'''Innocent'''");
    sources.revisions = [{ revid: 9, timestamp: daysAgo(1), wikitext: slander }, standing];
    await refresh(["cases"]);
    const titles = (await published()).cases.map(({ title }) => title);
    expect(titles)
      .to.have.length(CASES - 1)
      .and.not.to.include.members(["Innocent"]);
    expect(titles, "an entry that was removed is gone at once").not.to.include("Case 1");
  });

  it("keeps the cases when the page is blanked, today or a week ago", async () => {
    const blank = { revid: 9, timestamp: daysAgo(0.1), wikitext: "" };
    sources.revisions = [blank, standing];
    await expectRefused("cases", /not plausible \(cases: 0, 18 before\)/);
    sources.revisions = [{ ...blank, timestamp: daysAgo(8) }, standing];
    await expectRefused("cases", /not plausible \(cases: 0, 18 before\)/);
    sources.revisions = [{ ...blank, revid: 10, wikitext: casesOf(9) }, standing];
    await expectRefused("cases", /not plausible \(cases: 9, 18 before\)/);
  });

  it("gives up a source that sends a byte now and then, and keeps what it has", async () => {
    sources.dripping = "/retraction_watch.csv";
    const before = await published();
    // A minute becomes a quarter of a second.
    expect(await refresh(["retractions"], { timeoutFactor: 1 / 240 })).to.match(
      /could not be reached \(no answer in time\)/,
    );
    expect(await published()).to.deep.equal(before);
  });
});
