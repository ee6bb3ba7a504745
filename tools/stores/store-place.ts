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
import { storeUnavailable } from "../../src/platform/domain-error.ts";
import { type Account, ownerOf, runCommand } from "../../src/platform/run-command.ts";

/** Contains the stores of data folders that the stores' user can't enter. */
const ELSEWHERE = "/var/lib/similarity-check";

/** The file in the data folder that names the other folder. A data folder without it is new. */
const PLACE_FILE = "stores-elsewhere";

/** `root` contains all files of the embedded stores. They run as `account`, or as this user if it is undefined. */
export type StorePlace = { readonly root: string; readonly account: Account | undefined };

/** `dataDir` or, where the stores' user can't enter it (such as below /root), a folder below `/var/lib/similarity-check`. */
export async function storePlace(dataDir: string, say: (line: string) => void): Promise<StorePlace> {
  makeFolder(dataDir);
  const account = await unprivilegedUser(say);
  const placeFile = join(dataDir, PLACE_FILE);
  if (account === undefined) return { root: dataDir, account };
  if (existsSync(placeFile)) return { root: makeFolder(readFileSync(placeFile, "utf8").trim()), account };
  if (canUse(account, dataDir)) return { root: dataDir, account };
  const root = join(ELSEWHERE, createHash("sha256").update(realpathSync(dataDir)).digest("hex").slice(0, 16));
  // The data folder is new, so the data at `root` belongs to an earlier data folder with the same path.
  rmSync(root, { recursive: true, force: true });
  makeFolder(ELSEWHERE);
  makeFolder(root);
  writeFileSync(join(root, "belongs-to"), `${realpathSync(dataDir)}\n`);
  writeFileSync(placeFile, `${root}\n`);
  say(`The user ${account.name} cannot enter ${dataDir}: the files of the stores go to ${root}`);
  return { root, account };
}

/** Creates a folder that all users can enter whatever the umask. An existing folder is not changed. */
export function makeFolder(folder: string): string {
  const first = mkdirSync(folder, { recursive: true });
  if (first !== undefined) chmodSync(folder, 0o755);
  return folder;
}

/** Creates a folder that the stores write to. If it belongs to another user, changes the owner of all its files. */
export function makeStoreFolder(folder: string, account: Account | undefined): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined && statSync(folder).uid !== account.uid) handOver(folder, account);
  return folder;
}

/** Makes the account the owner of a file, or of a folder with its content. Does nothing without an account. */
export function handOver(path: string, account: Account | undefined): void {
  if (account === undefined) return;
  for (const entry of statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : []) {
    lchownSync(join(path, String(entry)), account.uid, account.gid);
  }
  chownSync(path, account.uid, account.gid);
}

const OWN_NAME = "similarity-check";

/** Creating a user takes well under a second, unless a directory service answers slowly. */
const USER_COMMAND_TIMEOUT_MS = 10_000;

/** Both stores refuse to run as root: then they get the user `similarity-check`, created on first use, or `nobody`. */
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
  throw storeUnavailable(
    "PostgreSQL and OpenSearch refuse to run as root, and no user could be created for them. " +
      `Start as another user, or create the user ${OWN_NAME}, or set DATABASE_URL and OPENSEARCH_URL.`,
  );
}

/** Whether the account can enter the folder or start the program at `path`, by the system's own test. */
export function canUse(account: Account | undefined, path: string): boolean {
  const answer = spawnSync("/bin/sh", ["-c", 'test -r "$1" && test -x "$1"', "sh", path], {
    cwd: "/",
    stdio: "ignore",
    ...ownerOf(account),
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

/** For the unpacked distribution (203 MB), both empty stores (60 MB), the sample corpus and working space. */
const FREE_BYTES_MIN = 2 * 1024 ** 3;

/** OpenSearch's default flood-stage watermark: above it, all indices become read-only. */
const USED_FLOOD = 0.95;

/** OpenSearch's default high watermark: above it, a single node creates no index. */
const USED_HIGH = 0.9;

/** Warns if the disk of `folder` is almost too full for the stores. @throws DomainError if it is too full. */
export function checkDiskSpace(folder: string, say: (line: string) => void): void {
  const { blocks, bavail, bsize } = statfsSync(folder);
  const { problem, warning } = judgeDiskSpace(folder, blocks * bsize, bavail * bsize);
  if (problem !== undefined) throw storeUnavailable(problem);
  if (warning !== undefined) say(warning);
}

/** The problem that a disk causes, or a warning. `freeBytes` excludes space for root, as in OpenSearch's calculation. */
export function judgeDiskSpace(
  folder: string,
  totalBytes: number,
  freeBytes: number,
): { readonly problem?: string; readonly warning?: string } {
  const used = 1 - freeBytes / totalBytes;
  const gigabytes = (freeBytes / 1024 ** 3).toFixed(1);
  const state = `${gigabytes} GB are free on the disk of ${folder} (${Math.floor(used * 100)}% used)`;
  if (freeBytes < FREE_BYTES_MIN)
    return { problem: `The stores need 2 GB of disk, but only ${state}. ${ADVICE}` };
  if (used >= USED_FLOOD)
    return { problem: `OpenSearch does not write to a disk that is over 95% full: ${state}. ${ADVICE}` };
  if (used >= USED_HIGH)
    return { warning: `OpenSearch creates no index on a disk that is over 90% full: ${state}. ${ADVICE}` };
  return {};
}

const ADVICE = "Free some space, or set DATA_DIR to a folder on another disk.";
