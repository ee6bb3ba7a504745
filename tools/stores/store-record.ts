import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { errorCode } from "../../src/platform/error-code.ts";
import { isAlive, ProcessIdentity, StoreProcess } from "./daemon.ts";

const StoreUser = ProcessIdentity.extend({ id: z.string() });
const Port = z.int().min(1).max(65_535);

const Ports = z.object({ postgres: Port, opensearch: Port, opensearchTransport: Port }).partial();

const StoreRecord = z.object({
  users: z.array(StoreUser).default([]),
  ports: Ports.default({}),
  postgres: StoreProcess.nullable().default(null),
  opensearch: StoreProcess.nullable().default(null),
  composeServices: z.array(z.string()).default([]),
});

/**
 * The running stores of one data folder and their users. A user is one `openStores` of one process. Ports outlive the
 * processes, so that a store gets its address back. `composeServices` are those that the users started.
 */
export type StoreRecord = z.output<typeof StoreRecord>;

export const EMPTY_RECORD: StoreRecord = StoreRecord.parse({});

/** The record in `file`; an empty one if the file is missing or damaged. */
export function readStoreRecord(file: string): StoreRecord {
  try {
    return StoreRecord.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || errorCode(error) === "ENOENT")
      return EMPTY_RECORD;
    throw error;
  }
}

/** Changes some members of the record in `file`. */
export function updateRecord(file: string, changes: Partial<StoreRecord>): void {
  writeJson(file, { ...readStoreRecord(file), ...changes });
}

/** The other users that are alive. A killed user counts as gone. */
export function otherUsers({ users }: StoreRecord, id: string): StoreRecord["users"] {
  return users.filter((user) => user.id !== id && isAlive(user));
}

/** Replaces a file atomically: a reader sees either the old content or the new. Only its owner can read it. */
export function writeJson(file: string, value: unknown): void {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}
