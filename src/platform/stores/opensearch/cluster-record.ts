import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { StoreProcessSchema } from "../store-record.ts";

const NodeSchema = z.object({
  name: z.string(),
  httpPort: z.int().min(1).max(65_535),
  transportPort: z.int().min(1).max(65_535),
  process: StoreProcessSchema.nullable(),
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
