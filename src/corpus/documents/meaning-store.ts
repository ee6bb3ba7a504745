import { z } from "zod";
import { Cells } from "../../matching/meaning/cells.ts";
import type { Calibration, MeaningModel } from "../../matching/meaning/meaning-model.ts";
import { meanOf } from "../../matching/meaning/meaning-model.ts";
import type { SentenceSection } from "../../matching/meaning/sentence-section.ts";
import type { TextRange } from "../../matching/set.ts";
import { DomainError } from "../../platform/domain-error.ts";
import { prepared, type Queryable } from "../../platform/postgres/database.ts";
import { COUNTED_EXACTLY_MAX } from "./document.ts";

/** The stored data of a model. `centroids`: one signed byte per dimension. */
export type NewMeaningModel = {
  readonly model: string;
  readonly dimensions: number;
  readonly centroids: Int8Array;
  readonly calibration: Calibration;
  /** The vector of `PROBE`, if somebody else may replace the model. */
  readonly probe?: readonly number[];
};

/*
 * The states of a generation: the fingerprints of all documents by one calibration of one model.
 *
 * - wanted: the newest generation of the model in the settings. Workers encode the documents of the backlog for it.
 *   When it is the first generation of all, it is current from the beginning.
 *   When every matchable document has its fingerprints and the backlog is empty, move to current, and delete all others.
 * - current (`is_current`): checks compare meaning by it. There is at most one, and usually it is the wanted one as well.
 *   When the settings name another model, or the model is calibrated again, stay until the new generation is complete.
 * - left over: neither wanted nor current, because the settings have changed again before it was complete.
 *   When another generation becomes current, delete it with its fingerprints. When the settings name its model again and that has no
 *   newer generation, move to wanted: workers encode only the documents that lack it.
 */

/** A generation of fingerprints and the name of its model. */
type ModelName = { readonly generation: number; readonly model: string };

/** How far documents are encoded. */
export type MeaningProgress = {
  /** Documents that checks compare by meaning. */
  readonly encoded: number;
  /** Documents that must still be encoded. With a new model, checks may compare them by the earlier one meanwhile. */
  readonly waiting: number;
  /** Documents that are matchable by words and not yet by meaning. */
  readonly lacking: number;
};

/** The documents that are still to be encoded. */
export type SemanticBacklog = {
  readonly documents: number;
  readonly chunks: number;
  /** How long it takes at the present rate; undefined when none was encoded lately, as without a running service. */
  readonly seconds: number | undefined;
};

/** A section of a document's sentences. */
type StoredSection = SentenceSection & { readonly documentId: string; readonly generation: number };

/** The rows of semantic fingerprints. Every method takes the connection or transaction that it runs on. */
export class MeaningStore {
  /** The model that checks compare with; undefined before the first calibration. */
  async findCurrent(db: Queryable): Promise<ModelName | undefined> {
    const [row] = await db.query<ModelName>("select generation, model from semantic_models where is_current");
    return row;
  }

  /** The newest generation of a model; undefined before its calibration. */
  async newestGeneration(db: Queryable, model: string): Promise<number | undefined> {
    const [row] = await db.query<{ generation: number }>(
      "select generation from semantic_models where model = $1 order by generation desc limit 1",
      [model],
    );
    return row?.generation;
  }

  /** Undefined when checks have switched to another model. */
  async readModel(db: Queryable, generation: number): Promise<MeaningModel | undefined> {
    const [row] = await db.query<ModelRow>(
      "select generation, model, dimensions, centroids, calibration from semantic_models where generation = $1",
      [generation],
    );
    return row && toModel(row);
  }

  /** Adds a generation, and notes all documents for it. The first one is current at once. */
  async addModel(
    transaction: Queryable,
    { model, dimensions, centroids, calibration, probe }: NewMeaningModel,
  ): Promise<number> {
    const [row] = await transaction.query<{ generation: number }>(
      `insert into semantic_models (model, dimensions, centroids, calibration, is_current)
       values ($1, $2, $3, $4, not exists (select from semantic_models)) returning generation`,
      [
        model,
        dimensions,
        Buffer.from(centroids.buffer, centroids.byteOffset, centroids.byteLength),
        JSON.stringify({ ...calibration, probe }),
      ],
    );
    if (row === undefined) throw new Error(`the model ${model} was not stored`);
    await this.refillBacklog(transaction, row.generation);
    return row.generation;
  }

  /** All generations with fingerprints, complete or in progress. */
  async listGenerations(db: Queryable): Promise<ModelName[]> {
    return db.query<ModelName>("select generation, model from semantic_models order by generation");
  }

  /** Lets checks use another generation, and drops the fingerprints of these. */
  async switchTo(transaction: Queryable, generation: number, dropped: readonly number[]): Promise<void> {
    await transaction.query("update semantic_models set is_current = false where is_current");
    await transaction.query("update semantic_models set is_current = true where generation = $1", [
      generation,
    ]);
    await transaction.query("delete from semantic_models where generation = any($1)", [dropped]);
  }

  /** @throws DomainError `store_unavailable` when this generation is gone, as checks have switched to another one. */
  async assertKept(db: Queryable, generation: number): Promise<void> {
    const kept = await db.query(prepared("select from semantic_models where generation = $1"), [generation]);
    if (kept.length === 0)
      throw new DomainError(
        "store_unavailable",
        "The sentences of the corpus are compared by another model now.",
      );
  }

  /** Marks documents whose sentences must be encoded. */
  async addToBacklog(db: Queryable, documentIds: readonly string[]): Promise<void> {
    await db.query(
      `insert into semantic_backlog (document_id) select unnest($1::uuid[]) on conflict do nothing`,
      [documentIds],
    );
  }

  /** Marks all matchable documents without fingerprints of this generation; returns how many were not marked yet. */
  async refillBacklog(db: Queryable, generation: number): Promise<number> {
    const [row] = await db.query<{ added: number }>(
      `with added as (
         insert into semantic_backlog (document_id)
         select document_id from document_chunks
          where not exists (select from semantic_documents as done
                             where done.generation = $1 and done.document_id = document_chunks.document_id)
         on conflict do nothing returning 1)
       select count(*) as added from added`,
      [generation],
    );
    return row?.added ?? 0;
  }

  /**
   * Some waiting documents that are not postponed, newest first; no other worker gets them until the transaction ends. Their rows
   * are not locked: a document can be deleted while it is encoded.
   */
  async takeFromBacklog(transaction: Queryable, limit: number): Promise<string[]> {
    const locked = await transaction.query<{ document_id: string }>(
      `select document_id from (select document_id from semantic_backlog where ${IS_DUE}
                                 order by document_id desc limit $2) as waiting
        where ${tryLock("document_id")} limit $1`,
      [limit, limit * WORKERS_MAX],
    );
    // Looked up again: another worker may have encoded a document just before it gave up its lock.
    const rows = await transaction.query<{ document_id: string }>(
      `select document_id from semantic_backlog where document_id = any($1) and ${IS_DUE}
        order by document_id desc`,
      [locked.map((row) => row.document_id)],
    );
    return rows.map((row) => row.document_id);
  }

  /** Lets other documents go first for a while. */
  async postpone(transaction: Queryable, documentId: string): Promise<void> {
    await transaction.query(
      `update semantic_backlog set retry_at = now() + interval '${POSTPONED_SECONDS} seconds' where document_id = $1`,
      [documentId],
    );
  }

  /** Adds a section, unless an earlier run has added it. */
  async addSection(
    db: Queryable,
    documentId: string,
    generation: number,
    { start, end, count, body }: SentenceSection,
  ): Promise<void> {
    await db.query(
      `insert into semantic_sections (document_id, generation, start_utf16, end_utf16, sentence_count, body)
       select document_id, $2, $3, $4, $5, $6 from documents where document_id = $1 for key share
       on conflict do nothing`,
      [documentId, generation, start, end, count, body],
    );
  }

  /** All sections of some documents, of one generation or of all. */
  async findSections(
    db: Queryable,
    documentIds: readonly string[],
    generation?: number,
  ): Promise<Map<string, StoredSection[]>> {
    const all = `select document_id as "documentId", ${SECTION_COLUMNS}
         from semantic_sections where document_id = any($1)`;
    return generation === undefined
      ? readSections(db, all, [documentIds])
      : readSections(db, `${all} and generation = $2`, [documentIds, generation]);
  }

  /** The sections of the documents' sentences that overlap these ranges. */
  async findSectionsIn(
    db: Queryable,
    ranges: readonly TextRange[],
    generation: number,
  ): Promise<Map<string, StoredSection[]>> {
    return readSectionsIn(db, { table: "semantic_sections", idColumn: "document_id" }, ranges, generation);
  }

  /**
   * Marks documents as matchable by meaning, as far as they still exist, and removes them from the backlog. A rebuild relies on the
   * time: the transaction may have begun minutes ago, before it encoded them.
   */
  async markEncoded(
    transaction: Queryable,
    generation: number,
    documents: readonly { readonly documentId: string; readonly sentenceCount: number }[],
  ): Promise<void> {
    const ids = documents.map(({ documentId }) => documentId);
    await transaction.query(
      `insert into semantic_documents (document_id, generation, sentence_count, encoded_at)
       select document_id, $2, sentence_count, clock_timestamp()
         from unnest($1::uuid[], $3::integer[]) as given (document_id, sentence_count)
         join documents using (document_id) order by document_id for key share of documents
       on conflict (generation, document_id) do update
         set sentence_count = excluded.sentence_count, encoded_at = excluded.encoded_at`,
      [ids, generation, documents.map(({ sentenceCount }) => sentenceCount)],
    );
    await transaction.query("delete from semantic_backlog where document_id = any($1)", [ids]);
  }

  /** The generations by which a document is matchable by meaning. */
  async encodedGenerations(db: Queryable, documentId: string): Promise<number[]> {
    const rows = await db.query<{ generation: number }>(
      "select generation from semantic_documents where document_id = $1",
      [documentId],
    );
    return rows.map((row) => row.generation);
  }

  /** Deletes the stored sentences of a document. While a worker encodes them, returns false and deletes nothing. */
  async forget(transaction: Queryable, documentId: string): Promise<boolean> {
    const id = [documentId];
    const [lock] = await transaction.query<{ taken: boolean }>(`select ${tryLock("$1::uuid")} as taken`, id);
    if (lock?.taken !== true) return false;
    await transaction.query("delete from semantic_backlog where document_id = $1", id);
    await transaction.query("delete from semantic_sections where document_id = $1", id);
    await transaction.query("delete from semantic_documents where document_id = $1", id);
    return true;
  }

  async listEncodedSince(db: Queryable, since: Date): Promise<string[]> {
    const rows = await db.query<{ document_id: string }>(
      "select distinct document_id from semantic_documents where encoded_at >= $1",
      [since],
    );
    return rows.map((row) => row.document_id);
  }

  async backlog(db: Queryable): Promise<SemanticBacklog> {
    // `encoded_at` is when the encoding of a group of documents began: the last group may not be complete.
    const [row] = await db.query<{ documents: number; chunks: number; rate: number | null }>(
      `with recent as materialized (
         select encoded_at, chunk_count from semantic_documents join document_chunks using (document_id)
          where encoded_at > now() - interval '5 minutes'),
       ends as (select min(encoded_at) as first, max(encoded_at) as last from recent)
       select count(*) as documents, coalesce(sum(chunk_count), 0) as chunks,
              (select sum(chunk_count) / nullif(extract(epoch from max(last) - max(first)), 0)
                 from recent, ends where encoded_at < last)::float as rate
         from semantic_backlog join document_chunks using (document_id)`,
    );
    if (row === undefined) throw new Error("PostgreSQL returned no counts");
    const { documents, chunks, rate } = row;
    return { documents, chunks, seconds: rate === null ? undefined : chunks / rate };
  }

  /**
   * The counts are exact up to `exactMax`, or up to `COUNTED_EXACTLY_MAX` while another model's fingerprints are made. Beyond that, they are the
   * planner's estimates.
   */
  async progress(db: Queryable, exactMax = COUNTED_EXACTLY_MAX): Promise<MeaningProgress> {
    const [row] = await db.query<{
      counted: number;
      encoded: number;
      waiting: number;
      matchable: number | null;
      encodedEstimate: number;
      waitingEstimate: number;
    }>(
      `with bounds as (
         select case when isReplaced then ${COUNTED_EXACTLY_MAX} else $1::integer end as counted, isReplaced
           from (select exists (select from semantic_models where not is_current) as isReplaced) as models)
       select counted,
              (select count(*) from (select 1 from semantic_documents join semantic_models using (generation)
                                      where is_current limit counted + 1) as found) as encoded,
              (select count(*) from (select 1 from semantic_backlog limit counted + 1) as found) as waiting,
              case when isReplaced
                then (select count(*) from (select 1 from document_chunks limit counted + 1) as found) end as matchable,
              (select greatest(reltuples, 0)::bigint from pg_class where oid = 'semantic_documents'::regclass)
                as "encodedEstimate",
              (select greatest(reltuples, 0)::bigint from pg_class where oid = 'semantic_backlog'::regclass)
                as "waitingEstimate"
         from bounds`,
      [exactMax],
    );
    if (row === undefined) throw new Error("PostgreSQL returned no counts");
    const count = (counted: number, estimate: number) =>
      counted <= row.counted ? counted : Math.max(counted, estimate);
    const encoded = count(row.encoded, row.encodedEstimate);
    const waiting = count(row.waiting, row.waitingEstimate);
    // While another model's fingerprints are made, waiting documents may have fingerprints of the current one, and done ones may lack them.
    const isCounted = row.matchable !== null && row.matchable <= row.counted;
    return { encoded, waiting, lacking: isCounted ? Math.max(0, (row.matchable ?? 0) - encoded) : waiting };
  }
}

/**
 * How long a document that could not be encoded lets all others go first: an embedding server may refuse one sentence permanently.
 * A document that was tried while the server was down waits for the same time, so a minute is the limit.
 */
const POSTPONED_SECONDS = 60;

/** Whether a row of the backlog is not postponed. A time further ahead is from before the clock was set back. */
const IS_DUE = `(retry_at is null or retry_at not between now() and now() + interval '${POSTPONED_SECONDS} seconds')`;

/** Workers that find documents at the same time; further workers find some once these have finished. */
const WORKERS_MAX = 20;

/** Identifies the locks of documents that are encoded among the database's advisory locks; the number is arbitrary but fixed. */
const ENCODING_LOCKS = 730_581;

/** SQL that takes the lock of a document until the transaction ends; false while another transaction has it. */
function tryLock(documentId: string): string {
  return `pg_try_advisory_xact_lock(${ENCODING_LOCKS}, hashtext(${documentId}::text))`;
}

/** The columns of a section beside `documentId`, of `semantic_sections` or `batch_sentences`. */
const SECTION_COLUMNS = `generation, start_utf16 as start, end_utf16 as "end", sentence_count as count, body`;

/**
 * The sections that a statement selects as "documentId" and `SECTION_COLUMNS`, in the order of documents and texts. PostgreSQL joins the
 * bodies into one value: as rows, a check would read a thousand strings. The bodies lie in shared memory, so threads need no copy.
 */
async function readSections(
  db: Queryable,
  statement: string,
  values: readonly unknown[],
): Promise<Map<string, StoredSection[]>> {
  const inOrder = 'order by "documentId", generation, start';
  const [all] = await db.query<{
    sections: readonly (Omit<StoredSection, "body"> & { readonly bytes: number })[] | null;
    bodies: string | null;
  }>(
    prepared(`with found as (${statement})
     select json_agg(json_build_object('documentId', "documentId", 'generation', generation, 'start', start, 'end', "end",
                       'count', count, 'bytes', octet_length(body)) ${inOrder}) as sections,
            encode(string_agg(body, '' ${inOrder}), 'base64') as bodies
       from found`),
    values,
  );
  const sections = all?.sections ?? [];
  const total = sections.reduce((sum, { bytes }) => sum + bytes, 0);
  const memory = Buffer.from(new SharedArrayBuffer(total));
  if (memory.write(all?.bodies ?? "", "base64") !== total)
    throw new Error("PostgreSQL returned damaged sentences");
  let end = 0;
  const whole = sections.map(({ bytes, ...section }) => {
    end += bytes;
    return { ...section, body: memory.subarray(end - bytes, end) };
  });
  return Map.groupBy(whole, ({ documentId }) => documentId);
}

/** A table of sections: of documents, or of members of batches. */
type SectionTable = { readonly table: string; readonly idColumn: string };

/** All sections of some documents or members, in their order. */
export async function readSectionsOf(
  db: Queryable,
  { table, idColumn }: SectionTable,
  ids: readonly string[],
): Promise<Map<string, StoredSection[]>> {
  const statement = `select ${idColumn} as "documentId", ${SECTION_COLUMNS} from ${table} where ${idColumn} = any($1)`;
  return readSections(db, statement, [ids]);
}

/** The sections of one generation that overlap these ranges of documents or members. */
export async function readSectionsIn(
  db: Queryable,
  { table, idColumn }: SectionTable,
  ranges: readonly TextRange[],
  generation: number,
): Promise<Map<string, StoredSection[]>> {
  return readSections(
    db,
    `select distinct on (${idColumn}, start_utf16) ${idColumn} as "documentId", ${SECTION_COLUMNS}
       from unnest($1::uuid[], $2::integer[], $3::integer[]) as wanted (${idColumn}, first, after)
       join ${table} using (${idColumn})
      where generation = $4 and start_utf16 < after and end_utf16 > first`,
    [
      ranges.map(({ documentId }) => documentId),
      ranges.map(({ start }) => start),
      ranges.map(({ end }) => end),
      generation,
    ],
  );
}

const Measured = z.object({
  background: z.object({ base: z.number(), slope: z.number() }),
  code: z.object({ scale: z.number(), offset: z.number() }),
  marginScale: z.number(),
  // The built-in model has no calibration.
  probe: z.array(z.number()).default([]),
});

type ModelRow = ModelName & {
  readonly dimensions: number;
  readonly centroids: Uint8Array;
  readonly calibration: unknown;
};

function toModel({ generation, model, dimensions, centroids, calibration }: ModelRow): MeaningModel {
  const bytes = new Int8Array(centroids.buffer, centroids.byteOffset, centroids.byteLength);
  const unpacked = { dimensions, values: unpackCentroids(bytes, dimensions) };
  const { probe, ...measured } = Measured.parse(calibration);
  const mean = meanOf(unpacked);
  const cells = new Cells(unpacked, mean);
  return { generation, model, centroids: unpacked, mean, cells, calibration: measured, probe };
}

/** Vectors of length 1 from signed bytes, whose scale differs from vector to vector. */
export function unpackCentroids(bytes: Int8Array, dimensions: number): Float32Array {
  const values = Float32Array.from(bytes);
  for (let base = 0; base < values.length; base += dimensions) {
    let squares = 0;
    for (let at = base; at < base + dimensions; at++) squares += (values[at] ?? 0) ** 2;
    const length = Math.sqrt(squares) || 1;
    for (let at = base; at < base + dimensions; at++) values[at] = (values[at] ?? 0) / length;
  }
  return values;
}

/** Signed bytes of vectors: the greatest dimension of each becomes 127. */
export function packCentroids(values: Float32Array, dimensions: number): Int8Array {
  const bytes = new Int8Array(values.length);
  for (let base = 0; base < values.length; base += dimensions) {
    let greatest = 0;
    for (let at = base; at < base + dimensions; at++)
      greatest = Math.max(greatest, Math.abs(values[at] ?? 0));
    for (let at = base; at < base + dimensions; at++)
      bytes[at] = Math.round(((values[at] ?? 0) / (greatest || 1)) * 127);
  }
  return bytes;
}
