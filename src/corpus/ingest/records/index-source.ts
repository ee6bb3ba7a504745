import { errors } from "@opensearch-project/opensearch";
import { z } from "zod";
import { DomainError } from "../../../platform/domain-error.ts";
import { mergeSources } from "../../../platform/flow/concurrency.ts";
import type { RetryPolicy } from "../../../platform/flow/retry-policy.ts";
import { askOpenSearch, type OpenSearch, rethrowRefused } from "../../../platform/opensearch/opensearch.ts";
import { assertWhole } from "../../../platform/opensearch/whole-answer.ts";
import {
  PAGE_IDS,
  PageSize,
  type RecordSnapshot,
  type RecordSource,
  type SourceRecord,
  VISIBLE_AFTER_MS,
} from "./record-source.ts";

/** Each page extends the point in time; writing the documents of a page takes seconds, and a store may be away for five minutes. */
const KEEP_ALIVE = "10m";

/** Shards that are read at the same time; writing the documents takes longer than reading from four. */
const SLICES_MAX = 4;

type IndexSourceOptions = {
  /** An index, an alias or a pattern. */
  readonly from: string;
  /** Selects documents, in OpenSearch's query language. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly updatedField?: string | undefined;
  /** The fields that are read; objects with all of their members. */
  readonly fields: readonly string[];
  /** The host of another cluster. */
  readonly host?: string | undefined;
  /** Repeats requests while the cluster is away. */
  readonly withRetries: RetryPolicy;
};

/** Reads the documents of an index at a point in time. The index must store `_source`. */
export function createIndexSource(opensearch: OpenSearch, options: IndexSourceOptions): RecordSource {
  const { from, query = { match_all: {} }, updatedField, host } = options;
  const name = host === undefined ? `the index ${from}` : `the index ${from} of ${host}`;
  const place = host === undefined ? from : `${host}/${from}`;
  return {
    name,
    collection: `index:${place}`,
    selection: JSON.stringify([place, query]),
    updatedField,
    open: () => asked(name, () => openSnapshot(opensearch, { ...options, query, name })),
  };
}

type Opened = IndexSourceOptions & {
  readonly query: Readonly<Record<string, unknown>>;
  readonly name: string;
};

async function openSnapshot(opensearch: OpenSearch, options: Opened): Promise<RecordSnapshot> {
  const { from, name, updatedField } = options;
  const known = FieldCaps.parse((await opensearch.fieldCaps({ index: from, fields: ["*"] })).body);
  if (known.indices.length === 0)
    throw new DomainError("invalid_input", `No index matches ${from} (--from).`);
  const order = updatedField === undefined ? undefined : orderOf(known, updatedField, name);
  const { body } = await opensearch.createPit({ index: [from], keep_alive: KEEP_ALIVE });
  const { pit_id: pitId, _shards: shards } = Pit.parse(body);
  try {
    const found = { opensearch, options, pitId, slices: Math.min(shards.total, SLICES_MAX) };
    const search = { ...found, sort: await sortOf(found) };
    const { total, newest } = await measure(search, order);
    const isOneIndex = known.indices.length === 1;
    const pages = <T>(read: (slice: number) => AsyncIterable<T>) =>
      mergeSources(Array.from({ length: search.slices }, (_, slice) => read(slice)));
    const toRecord = ({ _index, _id, _source }: z.output<typeof Hit>): SourceRecord => ({
      id: isOneIndex ? _id : `${_index}/${_id}`,
      fields: _source ?? {},
    });
    return {
      total,
      newest,
      mayHoldOtherFields: true,
      fieldNames: async () => fieldNames(known),
      records: (since) => {
        const changed = since === undefined || order === undefined ? [] : [changedSince(order, since)];
        return pages((slice) => readPages(search, slice, changed, toRecord));
      },
      recordsOf: async (ids) => {
        const wanted = new Set(ids);
        const values = isOneIndex ? ids : ids.map((id) => id.slice(id.indexOf("/") + 1));
        const hits = await searchPage(search, { filters: [{ ids: { values } }], size: PAGE_IDS });
        return hits.map(toRecord).filter(({ id }) => wanted.has(id));
      },
      ids: () => pages((slice) => readIds(search, slice, (hit) => toRecord(hit).id)),
      close: () => closePit(opensearch, pitId),
    };
  } catch (error) {
    await closePit(opensearch, pitId);
    throw error;
  }
}

/** Also forgotten by itself, after `KEEP_ALIVE`. */
async function closePit(opensearch: OpenSearch, pitId: string): Promise<void> {
  await opensearch.deletePit({ body: { pit_id: [pitId] } }).catch(() => undefined);
}

type PointInTime = {
  readonly opensearch: OpenSearch;
  readonly options: Opened;
  readonly pitId: string;
  readonly slices: number;
};

/**
 * `_shard_doc`, from OpenSearch 3.3 on, is the order in which documents lie on disk; of all fields, no other is unique over several
 * shards. `_seq_no` is unique only within a shard.
 */
type Sort = "_shard_doc" | "_seq_no";

type Search = PointInTime & { readonly sort: Sort };

async function sortOf({ opensearch, pitId }: PointInTime): Promise<Sort> {
  const pit = { id: pitId, keep_alive: KEEP_ALIVE };
  try {
    await opensearch.search({ body: { size: 1, pit, sort: [{ _shard_doc: "asc" }], _source: false } });
    return "_shard_doc";
  } catch (error) {
    if (error instanceof errors.ResponseError && refusalOf(error).said.includes("_shard_doc"))
      return "_seq_no";
    throw error;
  }
}

type PageRequest = {
  readonly filters?: readonly object[];
  readonly slice?: number;
  /** The sort value after which hits are read. */
  readonly after?: number | undefined;
  readonly size: number;
  readonly withSource?: boolean;
};

async function* readPages(
  search: Search,
  slice: number,
  filters: readonly object[],
  toRecord: (hit: z.output<typeof Hit>) => SourceRecord,
): AsyncGenerator<readonly SourceRecord[]> {
  const pageSize = new PageSize();
  for await (const hits of readHits(search, { slice, filters }, () => pageSize.records)) {
    const page = hits.map(toRecord);
    pageSize.note(page);
    yield page;
  }
}

async function* readIds(
  search: Search,
  slice: number,
  idOf: (hit: z.output<typeof Hit>) => string,
): AsyncGenerator<readonly string[]> {
  for await (const hits of readHits(search, { slice, withSource: false }, () => PAGE_IDS))
    yield hits.map(idOf);
}

/** All hits, page by page. Of hits that share the last sort value of a page, some may be on it and others on the next one. */
async function* readHits(
  search: Search,
  request: Omit<PageRequest, "after" | "size">,
  nextSize: () => number,
): AsyncGenerator<readonly z.output<typeof Hit>[]> {
  let after: number | undefined;
  let seen = new Set<string>();
  for (;;) {
    const size = nextSize() + seen.size;
    const hits = await searchPage(search, { ...request, after, size });
    yield hits.filter((hit) => !seen.has(keyOf(hit)));
    if (hits.length < size) return;
    const last = hits.at(-1)?.sort?.[0] ?? 0;
    if (search.sort === "_shard_doc") after = last;
    else {
      // From the last value on, which includes records that are read already.
      after = last - 1;
      seen = new Set(hits.filter(({ sort }) => sort?.[0] === last).map(keyOf));
    }
  }
}

function keyOf({ _index, _id }: z.output<typeof Hit>): string {
  return `${_index}/${_id}`;
}

async function searchPage(search: Search, request: PageRequest): Promise<z.output<typeof Hit>[]> {
  const { opensearch, options, pitId, slices, sort } = search;
  const { filters = [], slice, after, size, withSource = true } = request;
  return asked(options.name, () =>
    options.withRetries(async () => {
      const { body } = await askOpenSearch(() =>
        opensearch.search({
          body: {
            size,
            pit: { id: pitId, keep_alive: KEEP_ALIVE },
            query: { bool: { filter: [options.query, ...filters] } },
            sort: [{ [sort]: "asc" }],
            track_total_hits: false,
            _source: withSource ? [...options.fields] : false,
            ...(slice !== undefined && slices > 1 && { slice: { id: slice, max: slices } }),
            ...(after !== undefined && { search_after: [after] }),
          },
        }),
      );
      assertWhole(body);
      return Hits.parse(body).hits.hits;
    }),
  );
}

/** The number of documents, and where the next run continues. Also shows whether OpenSearch understands the query. */
async function measure({ opensearch, options, pitId }: PointInTime, order: UpdatedOrder | undefined) {
  const { body } = await opensearch.search({
    body: {
      size: 0,
      pit: { id: pitId, keep_alive: KEEP_ALIVE },
      query: { bool: { filter: [options.query] } },
      track_total_hits: true,
      ...(order !== undefined && { aggs: { newest: { stats: { field: order.field } } } }),
    },
  });
  assertWhole(body);
  const { hits, aggregations } = Measured.parse(body);
  const newest = aggregations?.newest.max ?? undefined;
  if (newest === undefined || order === undefined) return { total: hits.total.value, newest: undefined };
  return {
    total: hits.total.value,
    newest: String(Math.floor(newest - (order.isDate ? VISIBLE_AFTER_MS : 0))),
  };
}

type UpdatedOrder = { readonly field: string; readonly isDate: boolean };

const NUMBERS = ["long", "integer", "short", "byte", "double", "float", "half_float", "scaled_float"];

/** @throws DomainError `invalid_input` for a field that does not exist or has no order in time. */
function orderOf(known: z.output<typeof FieldCaps>, field: string, name: string): UpdatedOrder {
  const types = Object.keys(known.fields[field] ?? {});
  const isDate = types.length > 0 && types.every((type) => ["date", "date_nanos"].includes(type));
  if (isDate || (types.length > 0 && types.every((type) => NUMBERS.includes(type)))) return { field, isDate };
  const found = types.length === 0 ? "has no such field" : `has it as ${types.join(" and ")}`;
  throw new DomainError(
    "invalid_input",
    `The field ${field} (--updated-field) must be a date or a number, but ${name} ${found}.`,
  );
}

/** Documents without the field are read too: nothing tells whether they were changed. */
function changedSince({ field, isDate }: UpdatedOrder, since: string): object {
  const range = { gte: since, ...(isDate && { format: "epoch_millis" }) };
  const unknown = { bool: { must_not: { exists: { field } } } };
  return { bool: { should: [{ range: { [field]: range } }, unknown], minimum_should_match: 1 } };
}

/** The fields of the mapping, without OpenSearch's own. */
function fieldNames({ fields }: z.output<typeof FieldCaps>): string[] {
  return Object.entries(fields)
    .filter(
      ([name, types]) => !name.startsWith("_") && !Object.values(types).some((type) => type.metadata_field),
    )
    .map(([name]) => name);
}

/** Turns refusals of OpenSearch into messages for the caller. */
async function asked<T>(name: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const cause = error instanceof DomainError ? error.cause : error;
    const message = cause instanceof errors.ResponseError ? refusal(name, cause) : undefined;
    if (message !== undefined) throw new DomainError("invalid_input", message, { cause });
    if (cause instanceof errors.ConnectionError || cause instanceof errors.NoLivingConnectionsError)
      await askOpenSearch(() => Promise.reject(cause)).catch((known: unknown) =>
        unreachable(name, known, cause),
      );
    return rethrowRefused(error);
  }
}

/** @throws `known`, where it says more than that nothing answers. */
function unreachable(name: string, known: unknown, cause: Error): never {
  if (!(known instanceof DomainError) || !known.message.includes("does not answer")) throw known;
  const message = `${name} can't be read, because OpenSearch can't be reached. Check its address (--node, or else OPENSEARCH_URL).`;
  throw new DomainError("store_unavailable", message.replace(/^t/, "T"), { cause });
}

function refusalOf({ body }: errors.ResponseError) {
  const { type = "", reason, root_cause: causes = [] } = Refused.safeParse(body).data?.error ?? {};
  return { type, causes, said: causes[0]?.reason ?? reason ?? "" };
}

function refusal(name: string, error: errors.ResponseError): string | undefined {
  const { statusCode } = error;
  const { type, causes, said } = refusalOf(error);
  if (type === "index_not_found_exception") return `There is no index for ${name} (--from).`;
  if (type === "security_exception")
    return `The OpenSearch user may not read ${name}: ${said}. It needs indices:data/read/search, indices:data/read/field_caps and indices:data/read/point_in_time/* there.`;
  if (
    type === "search_context_missing_exception" ||
    causes.some((cause) => cause.type === "search_context_missing_exception")
  )
    return `The point in time of ${name} is gone, as after a restart of OpenSearch. Run the same command again to continue where it stopped.`;
  if (
    /parsing_exception|query_shard_exception|x_content_parse_exception|illegal_argument_exception/.test(type)
  )
    return `OpenSearch refuses the request for ${name}: ${said}. Check --query.`;
  if (statusCode === 403 || statusCode === 405)
    return `${name} can't be read at a point in time: the server refuses it (HTTP status ${statusCode}). Points in time exist in OpenSearch 2.4 or newer and must be allowed by gateways before it.`;
  return undefined;
}

const Refused = z.object({
  error: z.object({
    type: z.string(),
    reason: z.string().optional(),
    root_cause: z.array(z.object({ type: z.string(), reason: z.string().optional() })).optional(),
  }),
});

const FieldCaps = z.object({
  indices: z.array(z.string()),
  fields: z.record(z.string(), z.record(z.string(), z.object({ metadata_field: z.boolean().optional() }))),
});

const Pit = z.object({ pit_id: z.string(), _shards: z.object({ total: z.int() }) });

const Hit = z.object({
  _index: z.string(),
  _id: z.string(),
  _source: z.record(z.string(), z.unknown()).optional(),
  sort: z.array(z.number()).optional(),
});

const Hits = z.object({ hits: z.object({ hits: z.array(Hit) }) });

const Measured = z.object({
  hits: z.object({ total: z.object({ value: z.int() }) }),
  aggregations: z.object({ newest: z.object({ max: z.number().nullable() }) }).optional(),
});
