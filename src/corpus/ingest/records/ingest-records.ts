import { DomainError } from "../../../platform/domain-error.ts";
import { groupItems, mapConcurrently } from "../../../platform/flow/concurrency.ts";
import type { Queryable } from "../../../platform/postgres/database.ts";
import type { CommandOutput } from "../../index/corpus-stores.ts";
import { type CollectionIngest, ingestCollection, pruneUnseen } from "../collection-ingest.ts";
import { PATH_BYTES_MAX } from "../folder/walk-folder.ts";
import type { IngestProgress, IngestResult } from "../ingest-tally.ts";
import {
  BATCHES_IN_FLIGHT,
  type FreshSource,
  inBatches,
  SourceWriter,
  type WritableCorpus,
} from "../source-writer.ts";
import { type FieldMapping, placeholders, type RecordNotice, readRecord, stringsAt } from "./read-record.ts";
import type { RecordSnapshot, RecordSource, SourceRecord } from "./record-source.ts";

/** Field names in a message: enough to see a typing error. */
const FIELDS_SHOWN_MAX = 30;

export type IngestRecordsOptions = CommandOutput & {
  /** May depend on the fields of the source. */
  readonly mapping: FieldMapping | ((fieldNames: readonly string[]) => FieldMapping);
  /** Whether documents are also deleted when the source has no record at all. */
  readonly allowEmpty?: boolean | undefined;
  /** Whether the selection may differ from the last run. Documents that are no longer selected are deleted. */
  readonly newSelection?: boolean | undefined;
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
};

type Input = IngestRecordsOptions & { readonly source: RecordSource; readonly collection: string };

/**
 * Brings the corpus into line with the records of an index or a database; may be interrupted and run again.
 * @throws DomainError `invalid_input` for errors that the caller can correct; `store_unavailable`.
 */
export function ingestRecords(corpus: WritableCorpus, input: Input): Promise<IngestResult> {
  return ingestCollection(corpus, { ...input, keepsSeen: true }, async (held) => {
    // Unlike later requests, this one is not repeated: a wrong address is more likely than an outage.
    const snapshot = await input.source.open();
    try {
      const fieldNames = await snapshot.fieldNames();
      const mapping = typeof input.mapping === "function" ? input.mapping(fieldNames) : input.mapping;
      await ingest({ ...corpus, ...input, ...held, snapshot, mapping, fieldNames: new Set(fieldNames) });
    } finally {
      await snapshot.close();
    }
  });
}

type Run = WritableCorpus &
  Omit<Input, "mapping"> &
  CollectionIngest & {
    readonly snapshot: RecordSnapshot;
    readonly mapping: FieldMapping;
    readonly fieldNames: ReadonlySet<string>;
  };

async function ingest(run: Run): Promise<void> {
  const { source, collection, mapping, snapshot, fieldNames, database, documents, tally, withRetries, say } =
    run;
  if (!snapshot.mayHoldOtherFields) assertKnown(run, unknownFields(mapping, fieldNames));

  const collections = new IngestedCollections();
  const stated = {
    collection,
    selection: source.selection,
    mapping: JSON.stringify([source.updatedField, mapping]),
  };
  const former = await withRetries(() => collections.find(database, collection));
  const isStored = await withRetries(() => documents.hasPlatform(database, collection));
  if (isStored && former !== undefined && former.selection !== source.selection) assertMayBeSelectedAnew(run);
  const since = await withRetries(() => collections.begin(database, stated));

  const notices = new Notices();
  const writer = new SourceWriter(run);
  const write = (pages: AsyncIterable<readonly SourceRecord[]>) => writePages(run, pages, writer, notices);
  const seen: Seen = { isEmpty: true };
  if (!isStored || since === undefined) {
    tally.expect(snapshot.total ?? 0, snapshot.total !== undefined);
    await write(checkedFirst(run, unrepeated(run, snapshot.records(), seen)));
  } else {
    await write(unrepeated(run, snapshot.records(since), seen));
    await write(missingRecords(run, seen));
  }
  await writer.finishPending(collection);
  for (const line of notices.lines(mapping)) say(line);

  if (seen.isEmpty && isStored) assertMayBeEmptied(run);
  await pruneUnseen(run, run, "whose record is gone");
  // A changed record that could not be stored is read again.
  if (!writer.hasFailed) await withRetries(() => collections.finish(database, collection, snapshot.newest));
}

/** Reads and writes pages of records; all are matchable when it returns. */
async function writePages(
  run: Run,
  pages: AsyncIterable<readonly SourceRecord[]>,
  writer: SourceWriter,
  notices: Notices,
): Promise<void> {
  const batches = inBatches(freshSources(run, pages, notices));
  const written = mapConcurrently(batches, BATCHES_IN_FLIGHT, (batch) => writer.write(batch));
  for await (const _ of written) run.signal?.throwIfAborted();
  await writer.flush();
}

async function* freshSources(
  { collection, mapping, database, documents, tally, withRetries, signal }: Run,
  pages: AsyncIterable<readonly SourceRecord[]>,
  notices: Notices,
): AsyncGenerator<FreshSource> {
  for await (const page of pages) {
    signal?.throwIfAborted();
    const paths = page.map(({ id }) => id).filter(isStorable);
    const known = await withRetries(() => documents.findByPaths(database, collection, paths));
    for (const record of page) {
      const former = known.get(record.id);
      const read = readRecord(record, mapping, collection);
      if (read.outcome === "failed") {
        tally.fail(record.id, read.reason);
        continue;
      }
      for (const notice of read.notices) notices.add(notice, record.id);
      const isKept = former !== undefined && record.isIncomplete === true;
      if (isKept || former?.sha256 === read.source.sha256) tally.count("unchanged");
      else
        yield {
          outcome: former === undefined ? "added" : "replaced",
          path: record.id,
          source: read.source,
        };
    }
  }
}

/** Whether PostgreSQL can store and index an identifier. `readRecord` refuses the others. */
function isStorable(id: string): boolean {
  return !id.includes("\u0000") && Buffer.byteLength(id) <= PATH_BYTES_MAX;
}

/** Whether the source has no record, as far as it was read. */
type Seen = { isEmpty: boolean };

/** Records that these records exist. A join may return a record more than once, but it makes only one document. */
async function* unrepeated(
  { session, source, tally }: Run,
  pages: AsyncIterable<readonly SourceRecord[]>,
  seen: Seen,
): AsyncGenerator<readonly SourceRecord[]> {
  for await (const page of pages) {
    seen.isEmpty &&= page.length === 0;
    const repeated = await session.see(page.map(({ id }) => id).filter(isStorable));
    const left = new Map<string, number>();
    for (const id of repeated) {
      left.set(id, (left.get(id) ?? 0) + 1);
      tally.fail(
        id,
        `${source.name} has more than one record with this identifier; one of them is in the corpus.`,
      );
    }
    yield page.filter(({ id }) => {
      const repeats = left.get(id) ?? 0;
      left.set(id, repeats - 1);
      return repeats <= 0;
    });
  }
}

/** The records that are not in the corpus although they were not changed lately: they became visible late, or could not be read before. */
async function* missingRecords(
  { collection, snapshot, session, database, documents, withRetries }: Run,
  seen: Seen,
): AsyncGenerator<readonly SourceRecord[]> {
  for await (const all of snapshot.ids()) {
    seen.isEmpty &&= all.length === 0;
    const ids = all.filter(isStorable);
    const read = new Set(await session.see(ids));
    const known = await withRetries(() => documents.findByPaths(database, collection, ids));
    const missing = ids.filter((id) => !known.has(id) && !read.has(id));
    for await (const some of groupItems(missing, FETCHED_AT_ONCE)) yield await snapshot.recordsOf(some);
  }
}

/** Records that are read by their identifiers. A first incremental run after a long time may have many. */
const FETCHED_AT_ONCE = { countMax: 100, sizeMax: Number.POSITIVE_INFINITY, sizeOf: () => 0 };

/** Passes pages on, after a look whether the first one has the fields that the source does not list. */
async function* checkedFirst(
  run: Run,
  pages: AsyncIterable<readonly SourceRecord[]>,
): AsyncGenerator<readonly SourceRecord[]> {
  let isChecked = false;
  for await (const page of pages) {
    if (!isChecked && page.length > 0) {
      const isMissing = (path: string) => page.every((record) => stringsAt(record, path).length === 0);
      const missing = unknownFields(run.mapping, run.fieldNames).filter(({ path }) => isMissing(path));
      assertKnown(run, missing);
      isChecked = true;
    }
    yield page;
  }
}

type MappedField = { readonly option: string; readonly path: string };

/** The mapped fields with the options of the commands that name them. */
export function mappedFields({ text, title, url, idUrl, language }: FieldMapping): MappedField[] {
  const fields: [option: string, paths: readonly (string | undefined)[]][] = [
    ["--text", text],
    ["--title", [title]],
    ["--url", [url]],
    ["--id-url", idUrl === undefined ? [] : placeholders(idUrl)],
    ["--language", [language]],
  ];
  return fields.flatMap(([option, paths]) =>
    paths.flatMap((path) => (path === undefined ? [] : { option, path })),
  );
}

/** The mapped fields that the source does not list, not even as a part of one. */
function unknownFields(mapping: FieldMapping, names: ReadonlySet<string>): MappedField[] {
  const isListed = (path: string) =>
    path.split(".").some((_, at, parts) => names.has(parts.slice(0, at + 1).join(".")));
  return mappedFields(mapping).filter(({ path }) => !isListed(path));
}

/** @throws DomainError `invalid_input` that names the fields that exist. */
function assertKnown({ source, fieldNames }: Run, [unknown]: readonly MappedField[]): void {
  if (unknown === undefined) return;
  const names = [...fieldNames].toSorted();
  const more = names.length > FIELDS_SHOWN_MAX ? ` and ${names.length - FIELDS_SHOWN_MAX} more` : "";
  throw new DomainError(
    "invalid_input",
    `No record of ${source.name} has the field ${unknown.path} (${unknown.option}). Its fields are: ${names.slice(0, FIELDS_SHOWN_MAX).join(", ")}${more}.`,
  );
}

/** @throws DomainError `invalid_input` */
function assertMayBeSelectedAnew({ source, collection, newSelection }: Run): void {
  if (newSelection === true) return;
  throw new DomainError(
    "invalid_input",
    `The documents of ${collection} were selected by another query. Documents that ${source.name} no longer returns would be deleted: to do that, add --new-query; to keep both, give the new query its own collection with --collection NAME.`,
  );
}

/** A source without records is more often a mistake than a library that was given up. @throws DomainError `invalid_input` */
function assertMayBeEmptied({ source, allowEmpty }: Run): void {
  if (allowEmpty === true) return;
  throw new DomainError(
    "invalid_input",
    `${source.name} has no records, but the corpus has documents of it. No document was deleted. To delete all of them, add --allow-empty.`,
  );
}

/** Counts the values that were left out of documents, with an example each. */
class Notices {
  readonly #seen = new Map<RecordNotice, { count: number; readonly example: string }>();

  add(notice: RecordNotice, id: string): void {
    const seen = this.#seen.get(notice) ?? { count: 0, example: id };
    seen.count++;
    this.#seen.set(notice, seen);
  }

  lines({ language, url, idUrl }: FieldMapping): string[] {
    return [...this.#seen].map(([notice, { count, example }]) => {
      const of = `${count} ${count === 1 ? "record" : "records"} (such as ${example})`;
      return notice === "language"
        ? `The language in ${language} of ${of} is not an ISO 639-1 code such as en; it was detected instead.`
        : `The address in ${url ?? idUrl} of ${of} is not an http or https URL; it was left out.`;
    });
  }
}

type IngestedCollection = {
  readonly collection: string;
  readonly selection: string;
  /** How records become documents: a change means that all are read again. */
  readonly mapping: string;
};

/** The last runs that read indices and databases into collections. */
class IngestedCollections {
  async find(db: Queryable, collection: string): Promise<IngestedCollection | undefined> {
    const [found] = await db.query<IngestedCollection>(
      "select collection, selection, mapping from ingested_collections where collection = $1",
      [collection],
    );
    return found;
  }

  /** Records the start of a run. Returns where it continues; undefined when it must read all records. */
  async begin(
    db: Queryable,
    { collection, selection, mapping }: IngestedCollection,
  ): Promise<string | undefined> {
    const [row] = await db.query<{ newest: string | null }>(
      `insert into ingested_collections as former (collection, selection, mapping) values ($1, $2, $3)
       on conflict (collection) do update set selection = excluded.selection, mapping = excluded.mapping,
         newest = case when (former.selection, former.mapping) = (excluded.selection, excluded.mapping) then former.newest end
       returning newest`,
      [collection, selection, mapping],
    );
    return row?.newest ?? undefined;
  }

  /** Records where the next run continues. */
  async finish(db: Queryable, collection: string, newest: string | undefined): Promise<void> {
    await db.query("update ingested_collections set newest = $2 where collection = $1", [
      collection,
      newest ?? null,
    ]);
  }
}
