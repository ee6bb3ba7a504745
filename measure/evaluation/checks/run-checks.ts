import { z } from "zod";
import type { Database } from "../../../src/platform/postgres/database.ts";
import { mean } from "../scoring/score.ts";
import type { NamedText } from "../texts/corpus-texts.ts";
import { type PanCorpus, readQuery, type TextPair } from "../texts/pan-corpus.ts";
import {
  checkText,
  type EvaluationService,
  mapAtOnce,
  type RunOptions,
  type TextCheck,
} from "./evaluation-service.ts";

/** A suspicious text after its check. */
export type CheckedText = Omit<TextCheck, "checkId"> & {
  readonly queryName: string;
  /** The listed pairs of the text. */
  readonly pairs: readonly TextPair[];
  readonly retrieved: Retrieved;
};

/** Submits each suspicious text of the given pairs, waits for its check and reads its report. */
export async function runChecks(
  service: EvaluationService,
  corpus: PanCorpus,
  pairs: readonly TextPair[],
  options: RunOptions,
): Promise<CheckedText[]> {
  const record = await RetrievalRecord.open(service.database, service.documents);
  const texts = [...Map.groupBy(pairs, (pair) => pair.queryName)];
  const checked = await mapAtOnce(texts, options, async ([queryName, listed]): Promise<CheckedText> => {
    const text = await readQuery(corpus.folder, queryName);
    const { checkId, ...check } = await checkText(service, queryName, text);
    return { queryName, pairs: listed, ...check, retrieved: await record.of(checkId) };
  });
  return checked.toSorted((a, b) => (a.queryName < b.queryName ? -1 : 1));
}

/** The chunks that a check aligned its query with, by the name of their text. */
export type Retrieved = ReadonlyMap<string, ReadonlySet<number>>;

const Candidates = z.array(z.object({ documentId: z.string(), chunkIndex: z.number() }));

/**
 * Keeps the candidates of checks. The service deletes them when a check ends; a trigger in the database of the evaluation
 * copies each deleted row, so that the measurement uses the candidates of the check itself.
 */
class RetrievalRecord {
  readonly #database: Database;
  readonly #documents: ReadonlyMap<string, NamedText>;

  private constructor(database: Database, documents: ReadonlyMap<string, NamedText>) {
    this.#database = database;
    this.#documents = documents;
  }

  static async open(database: Database, documents: ReadonlyMap<string, NamedText>): Promise<RetrievalRecord> {
    await database.query("create table evaluated_retrievals (check_id uuid, candidates jsonb)");
    await database.query(
      `create function keep_retrieval() returns trigger language plpgsql as $$
       begin
         insert into evaluated_retrievals (check_id, candidates) values (old.check_id, old.candidates);
         return null;
       end $$`,
    );
    await database.query(
      `create trigger keep_retrieval after delete on check_retrievals for each row execute function keep_retrieval()`,
    );
    return new RetrievalRecord(database, documents);
  }

  /** The candidates of a check that has ended. */
  async of(checkId: string): Promise<Retrieved> {
    const rows = await this.#database.query<{ candidates: unknown }>(
      "select candidates from evaluated_retrievals where check_id = $1",
      [checkId],
    );
    const retrieved = new Map<string, Set<number>>();
    for (const { documentId, chunkIndex } of rows.flatMap(({ candidates }) => Candidates.parse(candidates))) {
      const name = this.#documents.get(documentId)?.name ?? documentId;
      const chunks = retrieved.get(name) ?? new Set();
      retrieved.set(name, chunks.add(chunkIndex));
    }
    return retrieved;
  }
}

/** Seconds per check, from the request to its end, and averages of the checks. */
export type CheckTimes = {
  readonly checks: number;
  readonly mean: number;
  readonly median: number;
  readonly p99: number;
  readonly worst: number;
  readonly words: number;
  /** Documents and chunks that a text was aligned with. */
  readonly candidates: number;
  readonly candidateChunks: number;
};

export function checkTimes(checked: readonly CheckedText[]): CheckTimes {
  const seconds = checked.map((one) => one.seconds).sort((a, b) => a - b);
  return {
    checks: checked.length,
    mean: mean(seconds),
    median: seconds[Math.floor(seconds.length / 2)] ?? 0,
    p99: seconds[Math.floor(seconds.length * 0.99)] ?? 0,
    worst: seconds.at(-1) ?? 0,
    words: mean(checked.map(({ words }) => words)),
    candidates: mean(checked.map(({ retrieved }) => retrieved.size)),
    candidateChunks: mean(
      checked.map(({ retrieved }) => retrieved.values().reduce((sum, chunks) => sum + chunks.size, 0)),
    ),
  };
}
