import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { dockerAnswers } from "../../src/platform/stores/compose.ts";
import { missingStores, openStores } from "../../src/platform/stores/open-stores.ts";

// The real PostgreSQL and OpenSearch, started once for a whole run: at TEST_DATABASE_URL and TEST_OPENSEARCH_URL when
// they are set, else in containers where Docker answers, else embedded below .data/test. That folder is kept between
// runs, so that a run need not unpack OpenSearch and make a database cluster again; what makes a test's stores fresh
// is a database and an index prefix of its own, which are removed at the end of the run. Those that a killed run
// left behind go a day later.

export type TestStores = { readonly databaseUrl: string; readonly opensearchNodes: readonly string[] };

/** Enough for the suite, and small beside the machines that run it. */
const OPENSEARCH_HEAP = "512m";

/** No run takes a day: what is older was left behind. */
const LEFTOVER_MS = 24 * 3600_000;

/** Marks what tests made, on servers that may hold other things. */
const MARK = "similaritytest";

/** Names this run in all of its processes: its start in milliseconds, with a random end. */
process.env.TEST_RUN ??= `${Date.now()}${randomBytes(2).toString("hex")}`;
const RUN = process.env.TEST_RUN;

const root = join(import.meta.dirname, "..", "..");
const stops: (() => Promise<void>)[] = [];
let started: Promise<TestStores> | undefined;

/**
 * The stores of this run, started at the first call, so that a run of pure tests starts none. Call it in a `before`
 * with a limit of minutes: on a new machine OpenSearch is fetched first.
 */
export function testStores(): Promise<TestStores> {
  started ??= start();
  return started;
}

/** Makes an empty database and returns its URL; `name` (letters, digits, underscores) helps to tell it apart. */
export async function freshDatabase(name = "db"): Promise<string> {
  const { databaseUrl } = await testStores();
  const database = `${MARK}_${RUN}_${randomBytes(3).toString("hex")}_${name}`.toLowerCase();
  await query(databaseUrl, `create database ${pg.escapeIdentifier(database)}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** An index prefix that no other test has. */
export function freshPrefix(): string {
  return `${MARK}-${RUN}-${randomBytes(3).toString("hex")}-`;
}

/** Mocha calls it once, before the first test. Parallel runs share the stores, so they are started before the processes of the tests. */
export async function mochaGlobalSetup(): Promise<void> {
  if (!process.argv.includes("--parallel")) return;
  const { databaseUrl, opensearchNodes } = await testStores();
  process.env.TEST_DATABASE_URL = databaseUrl;
  process.env.TEST_OPENSEARCH_URL = opensearchNodes.join(",");
}

/** Mocha calls it once, after the last test. */
export async function mochaGlobalTeardown(): Promise<void> {
  if (started === undefined) return;
  const stores = await started.catch(() => undefined);
  if (stores !== undefined) await removeNamed(stores, (run) => run === RUN);
  for (const stop of stops.toReversed()) await stop();
}

async function start(): Promise<TestStores> {
  const given = {
    databaseUrl: process.env.TEST_DATABASE_URL,
    opensearchUrls: process.env.TEST_OPENSEARCH_URL?.split(","),
  };
  const missing = missingStores(given);
  const contained = missing.length > 0 && (await dockerAnswers()) ? await startContainers(missing) : {};
  const stores = await openStores({
    ...given,
    ...contained,
    dataDir: join(root, ".data", "test"),
    opensearchHeap: OPENSEARCH_HEAP,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  stops.push(() => stores.stop());
  await removeLeftovers(stores);
  return stores;
}

async function startContainers(missing: readonly string[]) {
  const found: { databaseUrl?: string; opensearchUrls?: string[] } = {};
  if (missing.includes("postgres")) {
    const { PostgreSqlContainer } = await import("@testcontainers/postgresql");
    const container = await new PostgreSqlContainer("postgres:18")
      .withCommand(["postgres", "-c", "max_connections=200"])
      .start();
    stops.push(async () => void (await container.stop()));
    found.databaseUrl = container.getConnectionUri();
  }
  if (missing.includes("opensearch")) {
    const { OpenSearchContainer } = await import("@testcontainers/opensearch");
    const container = await new OpenSearchContainer("opensearchproject/opensearch:3.8.0")
      .withSecurityEnabled(false)
      .withEnvironment({ OPENSEARCH_JAVA_OPTS: `-Xms${OPENSEARCH_HEAP} -Xmx${OPENSEARCH_HEAP}` })
      .start();
    stops.push(async () => void (await container.stop()));
    found.opensearchUrls = [container.getHttpUrl()];
  }
  return found;
}

function removeLeftovers(stores: TestStores): Promise<void> {
  return removeNamed(stores, (run) => Date.now() - Number.parseInt(run, 10) > LEFTOVER_MS);
}

/** Removes databases and indices of the chosen runs. */
async function removeNamed(stores: TestStores, chosen: (run: string) => boolean): Promise<void> {
  const isChosen = (name: string) => {
    const run = new RegExp(`^${MARK}[_-]([0-9a-f]+)[_-]`).exec(name)?.[1];
    return run !== undefined && chosen(run);
  };
  const listed = await query(stores.databaseUrl, "select datname as name from pg_database");
  for (const { name } of listed) if (isChosen(name)) await dropDatabase(stores, name);
  await dropIndices(stores, isChosen);
}

async function dropDatabase({ databaseUrl }: TestStores, database: string): Promise<void> {
  await query(databaseUrl, `drop database if exists ${pg.escapeIdentifier(database)} with (force)`);
}

async function dropIndices(
  { opensearchNodes }: TestStores,
  chosen: (index: string) => boolean,
): Promise<void> {
  const node = opensearchNodes[0];
  const answer = await fetch(`${node}/_cat/indices/${MARK}-*?h=index&expand_wildcards=all`);
  const names = (await answer.text()).split("\n").map((name) => name.trim());
  for (const name of names) {
    if (name !== "" && chosen(name)) await fetch(`${node}/${name}`, { method: "DELETE" });
  }
}

async function query(url: string, statement: string): Promise<{ readonly name: string }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ name: string }>(statement)).rows;
  } finally {
    await client.end();
  }
}
