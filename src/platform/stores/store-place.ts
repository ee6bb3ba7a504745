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
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Account } from "./processes/run-command.ts";
import { canUse, unprivilegedUser } from "./processes/unprivileged-user.ts";

/** Where the stores of a data folder lie when their user cannot go there. */
const ELSEWHERE = "/var/lib/similarity-check";

/** The file of the data folder that names the other place. Without it, the data folder is a new one. */
const SIGNPOST = "stores-elsewhere";

/** `root` holds all files of the embedded stores; `account` is who they run as (undefined: this user). */
export type StorePlace = { readonly root: string; readonly account: Account | undefined };

/**
 * Decides where the embedded stores of `dataDir` live: there, or, when this process is root and the stores' user
 * cannot enter (a checkout below /root, say), in a folder of their own below `/var/lib/similarity-check`.
 */
export async function storePlace(dataDir: string, say: (line: string) => void): Promise<StorePlace> {
  makeFolder(dataDir);
  const account = await unprivilegedUser(say);
  const signpost = join(dataDir, SIGNPOST);
  if (account === undefined) return { root: dataDir, account };
  if (existsSync(signpost)) return { root: makeFolder(readFileSync(signpost, "utf8").trim()), account };
  if (canUse(account, dataDir)) return { root: dataDir, account };
  const root = join(ELSEWHERE, createHash("sha256").update(realpathSync(dataDir)).digest("hex").slice(0, 16));
  // The data folder is new (it has no signpost): what an earlier one of the same path left is not its data.
  rmSync(root, { recursive: true, force: true });
  makeFolder(ELSEWHERE);
  makeFolder(root);
  writeFileSync(join(root, "belongs-to"), `${realpathSync(dataDir)}\n`);
  writeFileSync(signpost, `${root}\n`);
  say(`The user ${account.name} cannot enter ${dataDir}: the stores' files go to ${root}`);
  return { root, account };
}

/** Makes a folder that all users can enter whatever the umask; one that exists stays as it is. */
export function makeFolder(folder: string): string {
  const first = mkdirSync(folder, { recursive: true });
  if (first !== undefined) chmodSync(folder, 0o755);
  return folder;
}

/** Makes a folder of the stores' own, which they write to. What another user left in it is handed over. */
export function makeStoreFolder(folder: string, account: Account | undefined): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined && statSync(folder).uid !== account.uid) handOver(folder, account);
  return folder;
}

/** Gives a file or a folder with all that is in it to the account; no account, no change. */
export function handOver(path: string, account: Account | undefined): void {
  if (account === undefined) return;
  for (const entry of statSync(path).isDirectory() ? readdirSync(path, { recursive: true }) : []) {
    lchownSync(join(path, String(entry)), account.uid, account.gid);
  }
  chownSync(path, account.uid, account.gid);
}
