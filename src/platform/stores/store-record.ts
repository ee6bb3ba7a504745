import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { isAlive, ProcessIdentity, StoreProcess } from "./daemon.ts";

const UserSchema = ProcessIdentity.extend({ id: z.string() });
const PortSchema = z.number().int().min(1).max(65535);

const RecordSchema = z.object({
  users: z.array(UserSchema),
  ports: z.object({
    postgres: PortSchema.optional(),
    opensearch: PortSchema.optional(),
    opensearchTransport: PortSchema.optional(),
  }),
  postgres: StoreProcess.nullable(),
  opensearch: StoreProcess.nullable(),
  composeServices: z.array(z.string()),
});

/** One `openStores` of one process; the last user that leaves stops the stores. */
export type StoreUser = z.infer<typeof UserSchema>;

/**
 * What runs for one data folder. The ports outlive the processes, so that a store comes back where it was.
 * `composeServices` are the Docker Compose services that these users started (not those found running).
 */
export type StoreRecord = z.infer<typeof RecordSchema>;

export const EMPTY_RECORD: StoreRecord = {
  users: [],
  ports: {},
  postgres: null,
  opensearch: null,
  composeServices: [],
};

/** The record in `file`; an empty one when there is none, or when it can't be read as a record. */
export function readRecord(file: string): StoreRecord {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return EMPTY_RECORD;
    throw error;
  }
  return parseRecord(text) ?? EMPTY_RECORD;
}

/** Replaces the record at once, so that a reader sees the old one or the new one, never half of it. */
export function writeRecord(file: string, record: StoreRecord): void {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}

/** The users that still live, without the one that has the given id. A killed user counts as gone. */
export function otherUsers(record: StoreRecord, id: string): StoreUser[] {
  return record.users.filter((user) => user.id !== id && isAlive(user));
}

function parseRecord(text: string): StoreRecord | undefined {
  try {
    const parsed = RecordSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

const NodeSchema = z.object({
  name: z.string(),
  httpPort: z.int().min(1).max(65_535),
  transportPort: z.int().min(1).max(65_535),
  process: StoreProcess.nullable(),
});

/** A node of a cluster on this machine; `process` is null when it was never started or was stopped. */
export type ClusterNode = z.output<typeof NodeSchema>;

/** The nodes that a file tells of; none when there is no such file. Ports outlive the processes. */
export function readClusterRecord(file: string): ClusterNode[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  return z.array(NodeSchema).parse(JSON.parse(text));
}

/** Replaces the file at once: a reader sees the old one or the new one. */
export function writeClusterRecord(file: string, nodes: readonly ClusterNode[]): void {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(nodes, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, file);
}
