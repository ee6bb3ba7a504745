import { randomBytes } from "node:crypto";
import { join } from "node:path";
import pg from "pg";
import { pino } from "pino";
import { JobQueue } from "../../src/platform/postgres/job-queue.ts";
import { migrate } from "../../src/platform/postgres/migrate.ts";
import { dockerAnswers } from "../../tools/stores/compose.ts";
import { missingStores, openStores } from "../../tools/stores/open-stores.ts";

// The real PostgreSQL and OpenSearch, started once for a whole run: at TEST_DATABASE_URL and TEST_OPENSEARCH_URL when
// they are set, else in containers where Docker answers, else embedded below .data/test. That folder is kept between
// runs, so that a run need not unpack OpenSearch and make a database cluster again; what makes a test's stores fresh
// is a database and an index prefix of its own. A parallel run removes them after each file: with the indices and templates
// of 100 files in OpenSearch, a service took twice as long to start. The indices of services are emptied instead, and serve
// another file. Those that a killed run left behind go a day later.

export type TestStores = { readonly databaseUrl: string; readonly opensearchNodes: readonly string[] };

/** Enough for the suite, and small beside the machines that run it. */
const OPENSEARCH_HEAP = "512m";

/** The second compiler of the JVM took half of OpenSearch's processor time: it pays off only in runs that are much longer than that of the tests. */
const OPENSEARCH_JVM_OPTIONS = ["-XX:TieredStopAtLevel=1"];

/** No run takes a day: what is older was left behind. */
const LEFTOVER_MS = 24 * 3600_000;

/** Marks what tests made, on servers that may hold other things. */
const MARK = "similaritytest";

/** Names of indices take about 60 characters, and OpenSearch reads a request line of 4,096. */
const INDICES_PER_REQUEST = 50;

/** For a list of index names, one a line, closed indices as well. */
const INDEX_NAMES = "h=index&expand_wildcards=all";

/** Names this run in all of its processes: its start in milliseconds, with a random end of so many digits. */
const RANDOM_END = 4;
process.env.TEST_RUN ??= `${Date.now()}${randomBytes(RANDOM_END / 2).toString("hex")}`;
const RUN = process.env.TEST_RUN;

const root = join(import.meta.dirname, "..", "..");
const stops: (() => Promise<void>)[] = [];

/** The databases and prefixes that this process has handed out and not yet removed. */
const handedOut: string[] = [];
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
  return createDatabase(name, "template1");
}

/** As `freshDatabase`. In a parallel run it has the tables of this release already, which take a service .3 s; otherwise it is empty. */
export async function migratedDatabase(name = "db"): Promise<string> {
  return createDatabase(name, process.env.TEST_DATABASE_TEMPLATE ?? "template1");
}

/** Makes an empty database whose texts are sorted by the rules of a language, as databases of many installations are. */
export async function freshDatabaseOfLocale(locale: string): Promise<string> {
  const collation = `locale_provider icu icu_locale ${pg.escapeLiteral(locale)} locale 'C' encoding 'UTF8'`;
  return createDatabase("locale", "template0", collation);
}

async function createDatabase(name: string, template: string, collation = ""): Promise<string> {
  const { databaseUrl } = await testStores();
  const database = `${MARK}_${RUN}_${randomBytes(3).toString("hex")}_${name}`.toLowerCase();
  handedOut.push(database);
  const [created, copied] = [database, template].map(pg.escapeIdentifier);
  await withClient(databaseUrl, (client) =>
    client.query(`create database ${created} template ${copied} ${collation}`),
  );
  const url = new URL(databaseUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** An index prefix that no other test has. */
export function freshPrefix(): string {
  const prefix = `${MARK}-${RUN}-${randomBytes(3).toString("hex")}-`;
  handedOut.push(prefix);
  return prefix;
}

/** A prefix whose indices and their settings are those that a service makes when it first starts. */
type ServiceIndices = { readonly prefix: string; readonly made: string };

/** Of services that this process has started, of tests that are over; and those of the latter that are empty, the oldest first. */
const serviceIndices: ServiceIndices[] = [];
const emptied: ServiceIndices[] = [];

/**
 * Starts a service on a database of its own and on indices that are empty. In a parallel run these may have served an earlier file:
 * making them takes several times as long as all else that a start does. Their database is a copy of the same template, so that they belong to each.
 */
export async function onServiceIndices<T>(start: (prefix: string) => Promise<T>): Promise<T> {
  if (process.env.TEST_DATABASE_TEMPLATE === undefined) return start(freshPrefix());
  const stores = await testStores();
  const used = await takeEmptied(stores);
  const prefix = used?.prefix ?? freshPrefix();
  if (used !== undefined) handedOut.push(prefix);
  const started = await start(prefix);
  serviceIndices.push(used ?? { prefix, made: await describeIndices(stores, prefix) });
  return started;
}

async function takeEmptied(stores: TestStores): Promise<ServiceIndices | undefined> {
  const [oldest] = emptied;
  if (oldest === undefined || !(await isEmpty(stores, oldest.prefix))) return undefined;
  return emptied.shift();
}

/** Whether not even deleted documents are left, which would count in the frequencies of terms. OpenSearch keeps them for half a minute. */
async function isEmpty(stores: TestStores, prefix: string): Promise<boolean> {
  const isLeft = async () => {
    const stats = await ask(stores, `${prefix}*/_stats/docs?filter_path=_all.primaries.docs`);
    return !/"count":0,"deleted":0\b/.test(stats);
  };
  if (!(await isLeft())) return true;
  await post(stores, `${prefix}*/_flush`);
  await post(stores, `${prefix}*/_forcemerge?only_expunge_deletes=true`);
  return !(await isLeft());
}

/** Deletes all documents of a service's indices, unless a test has changed anything else of them. */
async function emptyIndices(stores: TestStores, { prefix, made }: ServiceIndices): Promise<boolean> {
  if ((await describeIndices(stores, prefix)) !== made) return false;
  await post(stores, `${prefix}*/_refresh`);
  const { failures } = JSON.parse(
    await post(stores, `${prefix}*/_delete_by_query?refresh=true`, { query: { match_all: {} } }),
  );
  return Array.isArray(failures) && failures.length === 0;
}

/** The names, mappings, settings and aliases of all indices with a prefix. */
async function describeIndices(stores: TestStores, prefix: string): Promise<string> {
  const indices = Object.entries(JSON.parse(await ask(stores, `${prefix}*?expand_wildcards=all`)));
  return JSON.stringify(indices.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The settings of a program on these stores, with an empty database and an index prefix of its own. */
export async function freshSettings(databaseName?: string) {
  const { opensearchNodes } = await testStores();
  return {
    DATABASE_URL: await freshDatabase(databaseName),
    OPENSEARCH_URL: opensearchNodes.join(","),
    OPENSEARCH_INDEX_PREFIX: freshPrefix(),
  };
}

const REMOVAL_TIMEOUT_MS = 120_000;

/** Mocha calls it after each file of a parallel run, and otherwise after the last one. */
export const mochaHooks = {
  async afterAll(this: Mocha.Context): Promise<void> {
    // After the last file of a serial run it removes what all of them have made.
    this.timeout(REMOVAL_TIMEOUT_MS);
    if (handedOut.length === 0) return;
    const stores = await testStores();
    for (const indices of serviceIndices.splice(0)) {
      if (!(await emptyIndices(stores, indices))) continue;
      emptied.push(indices);
      handedOut.splice(handedOut.indexOf(indices.prefix), 1);
    }
    await removeBeginning(stores, handedOut.splice(0));
  },
};

/** Mocha calls it once, before the first test. Parallel runs share the stores, so they are started before the processes of the tests. */
export async function mochaGlobalSetup(): Promise<void> {
  if (!process.argv.includes("--parallel")) return;
  const { databaseUrl, opensearchNodes } = await testStores();
  process.env.TEST_DATABASE_URL = databaseUrl;
  process.env.TEST_OPENSEARCH_URL = opensearchNodes.join(",");
  process.env.TEST_DATABASE_TEMPLATE = await makeTemplate();
}

/** Makes the database that `migratedDatabase` copies, and returns its name. */
async function makeTemplate(): Promise<string> {
  const url = await freshDatabase("template");
  const log = pino({ level: "silent" });
  await migrate(url, log);
  const queue = new JobQueue(url, { queues: [], works: false, log });
  await queue.start();
  await queue.stop(0);
  return new URL(url).pathname.slice(1);
}

/** Mocha calls it once, after the last test. */
export async function mochaGlobalTeardown(): Promise<void> {
  if (started === undefined) return;
  const stores = await started.catch(() => undefined);
  if (stores !== undefined) await removeBeginning(stores, namesBegin(RUN));
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
    opensearchJvmOptions: OPENSEARCH_JVM_OPTIONS,
    say: (line) => process.stderr.write(`${line}\n`),
  });
  stops.push(() => stores.stop());
  if (given.databaseUrl === undefined) await withClient(stores.databaseUrl, stopFlushing);
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
      .withEnvironment({
        OPENSEARCH_JAVA_OPTS: [
          `-Xms${OPENSEARCH_HEAP}`,
          `-Xmx${OPENSEARCH_HEAP}`,
          ...OPENSEARCH_JVM_OPTIONS,
        ].join(" "),
      })
      .start();
    stops.push(async () => void (await container.stop()));
    found.opensearchUrls = [container.getHttpUrl()];
  }
  return found;
}

async function removeLeftovers(stores: TestStores): Promise<void> {
  const found = [
    ...(await withClient(stores.databaseUrl, databaseNames)),
    await ask(stores, `_cat/indices/${MARK}-*?${INDEX_NAMES}`),
    await ask(stores, `_cat/templates/${MARK}-*?h=name`),
    await ask(stores, `_component_template/${MARK}-*?filter_path=component_templates.name`),
  ].join("\n");
  const runs = [...found.matchAll(new RegExp(`${MARK}[_-]([0-9a-f]+)[_-]`, "g"))].map(([, run = ""]) => run);
  const old = [...new Set(runs)].filter(
    (run) => Date.now() - Number(run.slice(0, -RANDOM_END)) > LEFTOVER_MS,
  );
  await removeBeginning(stores, old.flatMap(namesBegin));
}

/** How the names of a run's databases and of its indices and templates begin. */
function namesBegin(run: string): string[] {
  return [`${MARK}_${run}_`, `${MARK}-${run}-`];
}

/** Removes the databases, indices and templates whose names begin with one of these. */
async function removeBeginning(stores: TestStores, beginnings: readonly string[]): Promise<void> {
  await withClient(stores.databaseUrl, async (client) => {
    for (const name of await databaseNames(client)) {
      if (beginnings.some((beginning) => name.startsWith(beginning)))
        await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`);
    }
  });
  for (const beginning of beginnings.filter((one) => one.startsWith(`${MARK}-`))) {
    const indices = (await ask(stores, `_cat/indices/${beginning}*?${INDEX_NAMES}`))
      .split("\n")
      .filter(Boolean);
    for (let from = 0; from < indices.length; from += INDICES_PER_REQUEST)
      await remove(stores, indices.slice(from, from + INDICES_PER_REQUEST).join(","));
    // A template of indices consists of the others, which OpenSearch keeps until it is gone.
    await remove(stores, `_index_template/${beginning}*`);
    await remove(stores, `_component_template/${beginning}*`);
  }
}

/**
 * Nothing in these databases has to outlive the machine, and dropping one writes a checkpoint. Should PostgreSQL no longer start after a power
 * cut, delete `.data/test`.
 */
async function stopFlushing(client: pg.Client): Promise<void> {
  await client.query("alter system set fsync = off");
  await client.query("alter system set full_page_writes = off");
  await client.query("select pg_reload_conf()");
}

async function databaseNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>("select datname as name from pg_database");
  return rows.map(({ name }) => name);
}

async function ask({ opensearchNodes }: TestStores, path: string): Promise<string> {
  return (await fetch(`${opensearchNodes[0]}/${path}`)).text();
}

async function post({ opensearchNodes }: TestStores, path: string, body: object = {}): Promise<string> {
  const answer = await fetch(`${opensearchNodes[0]}/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.text();
}

async function remove({ opensearchNodes }: TestStores, path: string): Promise<void> {
  await fetch(`${opensearchNodes[0]}/${path}`, { method: "DELETE" });
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
