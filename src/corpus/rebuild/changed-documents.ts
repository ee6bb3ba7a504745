import { clusterIdOf } from "../../platform/opensearch/opensearch.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { CorpusParts, Told } from "../corpus-parts.ts";
import { createRepairDocuments, type RepairParts } from "../reconciliation/reconcile.ts";

const MILESTONE = "corpus-moved";

type ListParts = Pick<CorpusParts, "database" | "documents" | "semantics">;

/**
 * Documents whose chunks may have changed since in content but not in number, so that no comparison of numbers finds those of
 * another index wrong: documents that were encoded, and those that were given another language.
 */
export async function listChangedSince(
  { database, documents, semantics }: ListParts,
  since: Date,
): Promise<string[]> {
  const encoded = await semantics.listEncodedSince(database, since);
  return [...new Set([...encoded, ...(await documents.listCorrectedSince(database, since))])];
}

/** From the cluster of the services to another one, each by its identifier. */
export type Move = { readonly from: string; readonly to: string };

/** Notes that the index of one cluster lacks what changed since, as services write to that of the other. */
export async function noteMove(database: Database, { from, to }: Move, since: Date): Promise<void> {
  await database.query(
    `insert into milestones (name, detail, reached_at) values ($1, $2, $3)
     on conflict (name) do update set detail = excluded.detail, reached_at = excluded.reached_at`,
    [MILESTONE, `${to} ${from}`, since],
  );
}

/** Writes the documents again that changed while services moved to this cluster; nothing unless they did. May be repeated. */
export type FinishMove = (told: Told) => Promise<void>;

/** For the time when all services use this cluster: reconciliation compares numbers of chunks, and would not find these. */
export function createFinishMove(parts: RepairParts & Pick<CorpusParts, "semantics">): FinishMove {
  const { database, opensearch } = parts;
  const repairDocuments = createRepairDocuments(parts);

  return async ({ say, signal }) => {
    const [noted] = await database.query<{ detail: string; since: Date }>(
      "select detail, reached_at as since from milestones where name = $1",
      [MILESTONE],
    );
    if (noted === undefined) return;
    const [behind = "", other = ""] = noted.detail.split(" ");
    if (behind !== (await clusterIdOf(opensearch))) return;
    const changed = await listChangedSince(parts, noted.since);
    if (changed.length > 0) {
      say(`Writing ${changed.length} documents again, which changed while services moved to this cluster.`);
      await repairDocuments(changed, signal);
    }
    // From now on it is the other one that lacks changes, should the services return to it.
    await noteMove(database, { from: behind, to: other }, noted.since);
  };
}
