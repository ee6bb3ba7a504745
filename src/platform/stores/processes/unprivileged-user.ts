import { spawnSync } from "node:child_process";
import { DomainError } from "../../../core/domain-error.ts";
import { type Account, runCommand } from "./run-command.ts";

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
