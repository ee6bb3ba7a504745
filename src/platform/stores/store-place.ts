import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DomainError } from "../../core/domain-error.ts";
import { type Account, runCommand } from "./run-command.ts";

/** Holds the stores of data folders that their user cannot enter. */
const ELSEWHERE = "/var/lib/similarity-check";

/** The file in the data folder that names the other place. A data folder without it is new. */
const PLACE_FILE = "stores-elsewhere";

/** `root` holds all files of the embedded stores; `account` is who they run as (undefined: this user). */
export type StorePlace = { readonly root: string; readonly account: Account | undefined };

/**
 * Decides where the embedded stores of `dataDir` live: there, or, when this process is root and the stores' user
 * cannot enter (a checkout below /root, say), in a folder of their own below `/var/lib/similarity-check`.
 */
export async function storePlace(dataDir: string, say: (line: string) => void): Promise<StorePlace> {
  makeFolder(dataDir);
  const account = await unprivilegedUser(say);
  const placeFile = join(dataDir, PLACE_FILE);
  if (account === undefined) return { root: dataDir, account };
  if (existsSync(placeFile)) return { root: makeFolder(readFileSync(placeFile, "utf8").trim()), account };
  if (canUse(account, dataDir)) return { root: dataDir, account };
  const root = join(ELSEWHERE, createHash("sha256").update(realpathSync(dataDir)).digest("hex").slice(0, 16));
  // The data folder is new (it has no such file): what an earlier one of the same path left is not its data.
  rmSync(root, { recursive: true, force: true });
  makeFolder(ELSEWHERE);
  makeFolder(root);
  writeFileSync(join(root, "belongs-to"), `${realpathSync(dataDir)}\n`);
  writeFileSync(placeFile, `${root}\n`);
  say(`The user ${account.name} cannot enter ${dataDir}: the stores' files go to ${root}`);
  return { root, account };
}

/** Creates a folder that all users can enter whatever the umask. An existing folder is not changed. */
export function makeFolder(folder: string): string {
  const first = mkdirSync(folder, { recursive: true });
  if (first !== undefined) chmodSync(folder, 0o755);
  return folder;
}

/** Creates a folder that the stores write to. Files of another user in it change their owner. */
export function makeStoreFolder(folder: string, account: Account | undefined): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined && statSync(folder).uid !== account.uid) handOver(folder, account);
  return folder;
}

/** Makes the account the owner of a file or a folder with its content; does nothing without an account. */
export function handOver(path: string, account: Account | undefined): void {
  if (account === undefined) return;
  for (const entry of statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : []) {
    lchownSync(join(path, String(entry)), account.uid, account.gid);
  }
  chownSync(path, account.uid, account.gid);
}

const OWN_NAME = "similarity-check";

/** Users are made in well under a second; ten leave room for a directory service that is slow to answer. */
const USER_COMMAND_TIMEOUT_MS = 10_000;

/**
 * The account that the embedded stores run as when this process is root, which both of them refuse:
 * the system user `similarity-check`, made on first use, else `nobody`. Undefined when this process is not root.
 */
export async function unprivilegedUser(say: (line: string) => void): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await findAccount(OWN_NAME);
  if (existing !== undefined) return existing;
  const made = await runCommand(
    "useradd",
    ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", OWN_NAME],
    { timeoutMs: USER_COMMAND_TIMEOUT_MS },
  );
  const account = await findAccount(OWN_NAME);
  if (account !== undefined) {
    if (made.ok) say(`Created the system user ${OWN_NAME}: the stores refuse to run as root`);
    return account;
  }
  const nobody = await findAccount("nobody");
  if (nobody !== undefined) return nobody;
  throw new DomainError(
    "store_unavailable",
    "PostgreSQL and OpenSearch refuse to run as root, and no user could be made for them. " +
      `Start as another user, or create the user ${OWN_NAME}, or set DATABASE_URL and OPENSEARCH_URL.`,
  );
}

/** Whether the account can read and enter the folder, or start the program, at `path`; asked of the system itself. */
export function canUse(account: Account | undefined, path: string): boolean {
  const answer = spawnSync("/bin/sh", ["-c", 'test -r "$1" && test -x "$1"', "sh", path], {
    cwd: "/",
    stdio: "ignore",
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  });
  return answer.status === 0;
}

async function findAccount(name: string): Promise<Account | undefined> {
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map((flag) => runCommand("id", [flag, name], { timeoutMs: USER_COMMAND_TIMEOUT_MS })),
  );
  if (uid === undefined || gid === undefined || !uid.ok || !gid.ok) return undefined;
  return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** The unpacked distribution (203 MB), both empty stores (60 MB) and the sample corpus, with room to work. */
const FREE_BYTES_MIN = 2 * 1024 ** 3;

/** OpenSearch's default flood stage watermark: above it, all its indices become read-only. */
const USED_FLOOD = 0.95;

/** OpenSearch's default high watermark: above it, a lone node refuses to create an index. */
const USED_HIGH = 0.9;

export type DiskSpace = { readonly totalBytes: number; readonly freeBytes: number };

/** Throws when the disk of `folder` is too full for the stores to work, and warns when it soon will be. */
export function checkDiskSpace(folder: string, say: (line: string) => void): void {
  const { blocks, bavail, bsize } = statfsSync(folder);
  const verdict = judgeDiskSpace(folder, { totalBytes: blocks * bsize, freeBytes: bavail * bsize });
  if (verdict.fits) verdict.warning === undefined || say(verdict.warning);
  else throw new DomainError("store_unavailable", verdict.problem);
}

export type DiskVerdict =
  | { readonly fits: true; readonly warning: string | undefined }
  | { readonly fits: false; readonly problem: string };

/** What the free space means for the stores; counted as OpenSearch counts it, by what a user may still write. */
export function judgeDiskSpace(folder: string, { totalBytes, freeBytes }: DiskSpace): DiskVerdict {
  const used = 1 - freeBytes / totalBytes;
  const state = `${gigabytes(freeBytes)} GB are free on the disk of ${folder} (${Math.floor(used * 100)}% used)`;
  if (freeBytes < FREE_BYTES_MIN) {
    return { fits: false, problem: `The stores need 2 GB of disk, but only ${state}. ${ADVICE}` };
  }
  if (used >= USED_FLOOD) {
    return {
      fits: false,
      problem: `OpenSearch does not write to a disk that is over 95% full: ${state}. ${ADVICE}`,
    };
  }
  if (used >= USED_HIGH) {
    return {
      fits: true,
      warning: `OpenSearch creates no index on a disk that is over 90% full: ${state}. ${ADVICE}`,
    };
  }
  return { fits: true, warning: undefined };
}

const ADVICE = "Free some space, or set DATA_DIR to a folder on another disk.";

function gigabytes(bytes: number): string {
  return (bytes / 1024 ** 3).toFixed(1);
}
