import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect } from "chai";
import { z } from "zod";
import { EncoderUnavailable } from "../../src/matching/encoder/sentence-encoder.ts";
import { prepareEncoder } from "../../tools/encoder/prepare-encoder.ts";
import { freePorts } from "../../tools/stores/daemon.ts";
import { BatchClient } from "../batches/batch-client.ts";
import type { EngineClient, WireReport } from "../support/client.ts";
import { ENCODER_DATA_DIR } from "../support/encoder.ts";
import { childEnvironment } from "../support/processes/child-environment.ts";
import {
  migrationsOf,
  nextRelease,
  PRESENT,
  previousRelease,
  type Release,
} from "../support/processes/releases.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import {
  difference,
  documentedRequests,
  type PathValues,
  type Recorded,
  recordAnswers,
} from "../support/recorded-answers.ts";
import { GLASSWORKS, GLASSWORKS_TRANSLATED, OWN_GERMAN } from "../support/work/glassworks.ts";
import { prose } from "../support/work/prose.ts";
import { sampleClass } from "../support/work/sample-class.ts";
import { makeEssay, makePaper } from "../support/work/sample-files.ts";

const UPLOADS = Array.from({ length: 6 }, (_, at) => prose(4_000 + at, 900));
const INGESTED = Array.from({ length: 8 }, (_, at) => prose(4_100 + at, 600));
const PAPER = {
  title: "On Ferries",
  paragraphs: Array.from({ length: 6 }, (_, at) => prose(4_200 + at, 120)),
};
const [COPIED = "", ALSO_COPIED = ""] = UPLOADS;

/** Texts that copy from uploaded and ingested documents, and one that was translated. */
const QUERIES = [
  `${prose(4_300, 80)} ${COPIED.slice(500, 2_500)} “${ALSO_COPIED.slice(900, 1_400)}”`,
  `${(INGESTED[2] ?? "").slice(0, 1_500)} ${prose(4_301, 200)} ${(INGESTED[5] ?? "").slice(700, 1_600)}`,
  `${GLASSWORKS_TRANSLATED} ${OWN_GERMAN}`,
  prose(4_302, 150),
];

/** Checks that are in line or running when the previous release is stopped. */
const WAITING = 6;

const LOADING_MS = 15 * 60_000;

describe("an upgrade from the previous release", function () {
  this.timeout(LOADING_MS);
  let folder: string;
  let previous: Release;
  let upgraded: Release;
  let environment: Readonly<Record<string, string>>;
  let service: ServiceProcess | undefined;
  let engineAnswers: ReadonlyMap<string, Recorded>;
  let statisticsAnswers: ReadonlyMap<string, Recorded>;
  let reports: readonly WireReport[];
  let waiting: readonly string[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "similarity-upgrade-"));
    previous = await previousRelease(join(folder, "previous"));
    const lacksNone = migrationsOf(previous).length === migrationsOf(PRESENT).length;
    upgraded = lacksNone ? nextRelease(join(folder, "next")) : PRESENT;
    process.stderr.write(`      from ${previous.name} to ${upgraded.name}\n`);
    if (previous === PRESENT)
      process.stderr.write(
        "      without tags and history, no earlier release can be tested; fetch them for that\n",
      );
    environment = await settings(folder);

    service = await start(previous);
    const { client, statisticsAddress = "" } = service;
    const values = await load(client);
    engineAnswers = await recordAnswers(client.base, await documentedRequests(client.base, values));
    statisticsAnswers = await recordAnswers(
      statisticsAddress,
      await documentedRequests(statisticsAddress, {
        code: [["DE"], ["CN"], ["XX"]],
        ror: await rowsOf(statisticsAddress, "institutions", "ror"),
        field_id: await rowsOf(statisticsAddress, "disciplines", "field_id"),
      }),
    );
    waiting = await Promise.all(Array.from({ length: WAITING }, () => client.submit(QUERIES[0] ?? "")));
    expect(await service.end("SIGTERM")).to.equal(0);
    service = await start(upgraded);
    if ((await service.client.request("/ready")).status !== 200) await run(upgraded, "corpus/rebuild");
  });
  after(async () => {
    await service?.end("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  });

  function start({ folder: program }: Release): Promise<ServiceProcess> {
    return ServiceProcess.start(environment, { main: join(program, "scripts", "start.ts") });
  }

  async function run(
    { folder: program }: Release,
    script: string,
    ...args: readonly string[]
  ): Promise<void> {
    const file = join(program, "scripts", `${script}.ts`);
    await promisify(execFile)(process.execPath, [file, ...args], { env: childEnvironment(environment) });
  }

  const client = () => service?.client ?? expect.fail("the upgraded service did not start");

  /** Deletes a check, as lists are compared. */
  async function remove(checkId: string): Promise<void> {
    const { status } = await client().request(`/v1/checks/${checkId}`, { method: "DELETE" });
    expect(status).to.equal(204);
  }

  /** Fills every list of the API, and gives the identifiers that its paths need. */
  async function load(engine: EngineClient): Promise<PathValues> {
    const documents = await Promise.all(
      UPLOADS.map((text, at) => engine.addDocument(`upload-${at}.txt`, text, { title: `Upload ${at}` })),
    );
    documents.push(await engine.addDocument("glassworks.txt", GLASSWORKS));
    documents.push(await engine.addDocument("essay.docx", makeEssay(PAPER)));
    const deleted = await engine.addDocument("deleted.txt", prose(4_400, 300));
    await engine.request(`/v1/corpus/documents/${deleted.document_id}`, { method: "DELETE" });
    const theses = join(folder, "theses");
    await mkdir(theses);
    await Promise.all(INGESTED.map((text, at) => writeFile(join(theses, `thesis-${at}.txt`), text)));
    await run(previous, "ingest", theses, "--language", "en");
    await run(previous, "statistics/demo");
    if (environment.SEMANTIC !== "off") await allEncoded(engine);

    const checked: WireReport[] = [];
    for (const query of QUERIES) checked.push(await engine.checked(query, { title: query.slice(0, 20) }));
    checked.push(await engine.checkedFile("paper.pdf", await makePaper(PAPER)));
    checked.push(await engine.checkedFile("essay.docx", makeEssay(PAPER)));
    reports = checked;
    const [{ check_id = "", sources = [] } = {}] = checked;
    const [passage] = sources[0]?.passages ?? [];
    const reference = `${passage?.query_start}-${passage?.query_end}-${sources[0]?.source_document_id}`;
    const noted = await engine.json("PUT", `/v1/checks/${check_id}/notes/${reference}`, { text: "A note." });
    expect(noted.status).to.equal(200);
    const batches = new BatchClient(() => engine);
    const { batch, report } = await batches.compared(sampleClass(12, 300), { title: "A class" });
    const checkIds = checked.map((one) => one.check_id);
    expect(
      checked.filter((one) => one.sources.length > 0),
      "checks with sources",
    ).to.have.lengthOf.above(3);
    expect(report.pairs).not.to.deep.equal([]);
    return {
      check_id: checkIds.map((id) => [id]),
      "check_id,source_document_id": checked.flatMap((one) =>
        one.sources.map((source) => [one.check_id, source.source_document_id]),
      ),
      document_id: documents.map((one) => [one.document_id]),
      batch_id: [[batch.batch_id]],
      "batch_id,a,b": report.pairs.map(({ a, b }) => [batch.batch_id, a.member_id, b.member_id]),
    };
  }

  it("completes the checks that were waiting, with the sources that the previous release found", async () => {
    const [first] = reports;
    for (const checkId of waiting) {
      expect((await client().ended(checkId)).status).to.equal("complete");
      expect(found(await client().report(checkId))).to.deep.equal(first && found(first));
    }
    for (const checkId of waiting) await remove(checkId);
  });

  it("answers every request of the API for data as the previous release did", async () => {
    expect(engineAnswers.size).to.be.above(100);
    const after = await recordAnswers(client().base, [...engineAnswers.keys()]);
    expect(differences(engineAnswers, after)).to.deep.equal([]);
  });

  it("shows the same statistics", async () => {
    expect(statisticsAnswers.size).to.be.above(10);
    // Release 1.0.0 kept no sentence that says plagiarism; its cases are not shown until the next refresh.
    const isWithheld = (path: string, { body }: Recorded) =>
      path.startsWith("/v1/cases") && !body.includes('"statement"');
    const kept = new Map([...statisticsAnswers].filter(([path, answer]) => !isWithheld(path, answer)));
    const after = await recordAnswers(service?.statisticsAddress ?? "", [...kept.keys()]);
    expect(differences(kept, after)).to.deep.equal([]);
  });

  it("finds in each text the sources that the previous release found", async () => {
    for (const [at, query] of QUERIES.entries()) {
      const before = reports[at] ?? expect.fail();
      const report = await client().checked(query);
      await remove(report.check_id);
      expect(found(report), query.slice(0, 60)).to.deep.equal(found(before));
    }
  });

  it("leaves an index that agrees with the database", async () => {
    await run(upgraded, "corpus/verify");
  });

  it("can't be undone by starting the previous release, which gives the reason and changes nothing", async () => {
    await service?.end("SIGTERM");
    const outcome = await start(previous).catch((error: Error) => error.message);
    if (typeof outcome !== "string") {
      await outcome.end("SIGTERM");
      expect.fail("the previous release started on the data of a newer one");
    }
    expect(outcome)
      .to.match(/^ended with 1 /)
      .and.to.match(/made by a newer release.*Start the newer release, or restore a backup/s);
    expect(outcome).not.to.match(/^\s+at /m);
    service = await start(upgraded);
    expect((await service.client.request("/ready")).status).to.equal(200);
    const after = await recordAnswers(client().base, [...engineAnswers.keys()]);
    expect(differences(engineAnswers, after)).to.deep.equal([]);
  });
});

/** The values of a column in the first rows of a table of statistics, for paths; none if the release has no such table. */
async function rowsOf(address: string, table: string, column: string): Promise<string[][]> {
  const response = await fetch(`${address}/v1/${table}`);
  if (!response.ok) return [];
  const { data } = z.object({ data: z.record(z.string(), z.unknown()).array() }).parse(await response.json());
  return data.slice(0, 2).map((row) => [encodeURIComponent(String(row[column]))]);
}

/** Waits until all documents are matchable by meaning, the ingested ones as well, so that later checks compare with the same ones. */
async function allEncoded(engine: EngineClient): Promise<void> {
  for (;;) {
    const answer = await (await engine.request("/v1/corpus/coverage")).json();
    const { documents, encoded } = CorpusCoverage.parse(answer);
    if (encoded === documents) return;
    await sleep(200);
  }
}

const CorpusCoverage = z.object({ documents: z.int(), encoded: z.int() });

/** The sources of a report. A later release may judge the borders of passages, and so their percentages, better. */
function found(report: WireReport): string[] {
  return report.sources.map((source) => source.source_document_id).toSorted();
}

function differences(before: ReadonlyMap<string, Recorded>, after: ReadonlyMap<string, Recorded>): string[] {
  return [...before].flatMap(([path, answer]) => {
    const found = difference(answer, after.get(path));
    return found === undefined ? [] : [`${path}: ${found}`];
  });
}

/** Stores of its own in a new data folder, which both releases start themselves, on the same ports. */
async function settings(folder: string): Promise<Record<string, string>> {
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  // The stores may run as a user of their own, who has to enter.
  for (const one of [folder, dataDir]) await chmod(one, 0o755);
  const [engine, statistics] = await freePorts([undefined, undefined]);
  const encoder = join(ENCODER_DATA_DIR, "encoder");
  const isPrepared = await prepareEncoder(encoder, { say: () => undefined }).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof EncoderUnavailable) || process.env.REQUIRE_ENCODER === "1") throw error;
      return false;
    },
  );
  if (isPrepared && existsSync(encoder)) await cp(encoder, join(dataDir, "encoder"), { recursive: true });
  return {
    DATA_DIR: dataDir,
    ENGINE_PORT: String(engine),
    STATISTICS_PORT: String(statistics),
    OPENSEARCH_HEAP: "512m",
    SEMANTIC: isPrepared ? "on" : "off",
    LOG_LEVEL: "warn",
    CHECK_TIME_BUDGET_SECONDS: "900",
    STATISTICS_RATE_LIMIT: "100000",
    // Where Docker answers, the stores would be its containers.
    DOCKER_HOST: "tcp://127.0.0.1:1",
  };
}
