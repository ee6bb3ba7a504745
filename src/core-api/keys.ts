import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { z } from "zod";
import { ConfigError } from "../platform/domain-error.ts";
import { errorCode, errorMessage } from "../platform/error-code.ts";

/** Letters, digits, dots, dashes and underscores, at most 64; it appears in logs and in the names of documents. */
export const KEY_NAME = /^[A-Za-z0-9._-]{1,64}$/;

const KeysFile = z.strictObject({
  keys: z.array(
    z.strictObject({
      name: z.string().regex(KEY_NAME, "must be the name of a key"),
      sha256: z.string().regex(/^[0-9a-f]{64}$/, "must be the SHA-256 of a key in hexadecimal"),
      created_at: z.string(),
    }),
  ),
});

type StoredKeys = z.output<typeof KeysFile>["keys"];

/** How long a changed file of keys may go unnoticed. */
const LOOK_AGAIN_MS = 5_000;

const KEY_BYTES = 32;

/**
 * The keys of a file, which holds only their hashes. A plain SHA-256 suffices, because a key is 32 random bytes and no password.
 * A change of the file is noticed within five seconds; a file that can't be read then leaves the keys as they were.
 */
export class Keys {
  readonly #path: string;
  readonly #onFault: (error: unknown) => void;
  #keys: StoredKeys;
  #modifiedMs: number;
  #lookedAt = performance.now();

  /** @throws ConfigError when the file can't be read. */
  constructor(path: string, onFault: (error: unknown) => void) {
    this.#path = path;
    this.#onFault = onFault;
    this.#modifiedMs = modifiedMs(path);
    this.#keys = readKeys(path);
  }

  /** The name of a key; undefined for an unknown one. Takes the same time for every key. */
  nameOf(key: string): string | undefined {
    this.#lookAgain();
    const hash = createHash("sha256").update(key).digest();
    let name: string | undefined;
    for (const stored of this.#keys)
      if (timingSafeEqual(hash, Buffer.from(stored.sha256, "hex"))) name = stored.name;
    return name;
  }

  #lookAgain(): void {
    if (performance.now() - this.#lookedAt < LOOK_AGAIN_MS) return;
    this.#lookedAt = performance.now();
    try {
      const changed = modifiedMs(this.#path);
      if (changed === this.#modifiedMs) return;
      this.#keys = readKeys(this.#path);
      this.#modifiedMs = changed;
    } catch (error) {
      this.#onFault(error);
    }
  }
}

function modifiedMs(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch (error) {
    throw unreadable(path, error);
  }
}

function readKeys(path: string): StoredKeys {
  try {
    return parseKeys(readFileSync(path, "utf8"));
  } catch (error) {
    throw unreadable(path, error);
  }
}

function parseKeys(content: string): StoredKeys {
  return KeysFile.parse(JSON.parse(content)).keys;
}

function unreadable(path: string, cause: unknown): ConfigError {
  const advice = "`npm run core-api:key -- NAME` makes it";
  return new ConfigError(`CORE_API_KEYS_FILE: ${path} can't be read (${errorMessage(cause)}); ${advice}`, {
    cause,
  });
}

/**
 * Adds a key to a file, in place of an earlier one of this name, and returns it: it can't be read again.
 * @throws ConfigError when the file has another content.
 */
export async function addKey(path: string, name: string): Promise<string> {
  const key = randomBytes(KEY_BYTES).toString("base64url");
  const sha256 = createHash("sha256").update(key).digest("hex");
  const others = (await storedKeys(path)).filter((stored) => stored.name !== name);
  await writeKeys(path, [...others, { name, sha256, created_at: new Date().toISOString() }]);
  return key;
}

/** Removes the key of this name; false if there is none. */
export async function removeKey(path: string, name: string): Promise<boolean> {
  const keys = await storedKeys(path);
  const others = keys.filter((stored) => stored.name !== name);
  if (others.length < keys.length) await writeKeys(path, others);
  return others.length < keys.length;
}

async function storedKeys(path: string): Promise<StoredKeys> {
  try {
    return parseKeys(await readFile(path, "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw unreadable(path, error);
  }
}

/** Only its owner may read the file. */
async function writeKeys(path: string, keys: StoredKeys): Promise<void> {
  const part = `${path}.${process.pid}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(part, `${JSON.stringify({ keys }, undefined, 2)}\n`, { mode: 0o600 });
  await rename(part, path);
}
