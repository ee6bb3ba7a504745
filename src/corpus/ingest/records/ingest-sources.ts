import { availableParallelism } from "node:os";
import { createExtractor } from "../../../extract/extractor.ts";
import { DomainError } from "../../../platform/domain-error.ts";
import { createRetryPolicy, STORE_WAIT_MS } from "../../../platform/flow/retry-policy.ts";
import { type AccessSettings, openSearchAccess } from "../../../platform/opensearch/access.ts";
import { connectOpenSearch } from "../../../platform/opensearch/opensearch.ts";
import { namedCollection } from "../collection-ingest.ts";
import type { IngestResult } from "../ingest-tally.ts";
import type { WritableCorpus } from "../source-writer.ts";
import { createIndexSource } from "./index-source.ts";
import { type IngestRecordsOptions, ingestRecords, mappedFields } from "./ingest-records.ts";
import { createOaiSource, OAI_MAPPING } from "./oai-source.ts";
import type { FieldMapping } from "./read-record.ts";
import { createSqlSource } from "./sql-source.ts";

type CommonInput = Omit<IngestRecordsOptions, "mapping" | "say"> & {
  /** Takes lines for a person, such as that a store is awaited. */
  readonly say?: ((line: string) => void) | undefined;
  /** Names the documents; by default the index or the database does. Letters (a to z), digits, `.`, `_` and `-`. */
  readonly collection?: string | undefined;
  /** A date or a number that grows with each change of a record: then later runs read only changed records. */
  readonly updatedField?: string | undefined;
};

export type IngestIndexInput = CommonInput &
  FieldMapping & {
    /** An index, an alias or a pattern. */
    readonly from: string;
    /** Selects documents, in OpenSearch's query language; all by default. */
    readonly query?: Readonly<Record<string, unknown>> | undefined;
    /** The URL of a node of another cluster; the corpus's own by default. The settings for access apply to it too. */
    readonly node?: string | undefined;
  };

export type IngestSqlInput = CommonInput &
  Omit<FieldMapping, "text"> & {
    readonly text?: readonly string[] | undefined;
    /** One `select`; `id`, `title`, `body` or `text`, `url` and `language` are read by these names unless others are given. */
    readonly query: string;
    /** The URL of another database; the corpus's own by default. */
    readonly database?: string | undefined;
    /** The column that identifies a row; `id` by default. */
    readonly id?: string | undefined;
  };

export type IngestOaiInput = Omit<CommonInput, "updatedField"> & {
  /** The base URL of an OAI-PMH 2.0 repository. */
  readonly url: string;
  /** Only works of this set. */
  readonly set?: string | undefined;
  /** Only works that were changed on these days (`2026-01-31`) or moments, in UTC. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  /** An e-mail address or a page by which the repository can reach whoever harvests it. */
  readonly contact?: string | null | undefined;
  /** Milliseconds before each request. */
  readonly pauseMs?: number | undefined;
};

/** Brings the corpus into line with an index; may be interrupted and run again. @throws as `ingestRecords` */
export function createIngestIndex(corpus: WritableCorpus, access: AccessSettings) {
  return async (input: IngestIndexInput): Promise<IngestResult> => {
    const { from, query, node, updatedField } = input;
    const mapping = mappingOf(input, input.text);
    const { say = () => undefined } = input;
    const withRetries = createRetryPolicy({ ...input, say, waitMs: corpus.storeWaitMs ?? STORE_WAIT_MS });
    const other =
      node === undefined
        ? undefined
        : connectOpenSearch([node], openSearchAccess({ ...access, opensearchNodes: [node] }));
    try {
      const fields = [...new Set(mappedFields(mapping).map(({ path }) => path))];
      const host = node === undefined ? undefined : new URL(node).host;
      const source = createIndexSource(other ?? corpus.opensearch, {
        ...{ from, query, updatedField, fields, host, withRetries },
      });
      const collection = namedCollection("index", source.collection, input.collection);
      return await ingestRecords(corpus, { ...input, say, mapping, source, collection });
    } finally {
      await other?.close();
    }
  };
}

/** Brings the corpus into line with the rows of a query; may be interrupted and run again. @throws as `ingestRecords` */
export function createIngestSql(corpus: WritableCorpus) {
  return async (input: IngestSqlInput): Promise<IngestResult> => {
    const {
      query,
      id,
      updatedField,
      database = corpus.databaseUrl,
      say = () => undefined,
      ...options
    } = input;
    const isOwn = input.database === undefined;
    const source = createSqlSource(database, { query, idColumn: id, updatedField, isOwn });
    const collection = namedCollection("sql", source.collection, options.collection);
    const mapping = (columns: readonly string[]) => {
      const ofName = (name: string) => (columns.includes(name) ? name : undefined);
      const text = input.text ?? ["body", "text"].filter((name) => columns.includes(name)).slice(0, 1);
      if (text.length === 0)
        throw new DomainError(
          "invalid_input",
          `The query has neither a column body nor text: name the columns of the text with --text. Its columns are: ${columns.join(", ")}.`,
        );
      return mappingOf(
        {
          ...input,
          title: input.title ?? ofName("title"),
          url: input.url ?? ofName("url"),
          language: input.language ?? ofName("language"),
        },
        text,
      );
    };
    return ingestRecords(corpus, { ...options, say, mapping, source, collection });
  };
}

/** Brings the corpus into line with a repository; may be interrupted and run again. @throws as `ingestRecords` */
export function createIngestOai(corpus: WritableCorpus) {
  return async (input: IngestOaiInput): Promise<IngestResult> => {
    const { url, set, from, until, contact = null, pauseMs = OAI_PAUSE_MS, say = () => undefined } = input;
    const processes = Math.min(2, availableParallelism());
    const extractor = createExtractor({ processes, ocr: corpus.ocr });
    try {
      const signal = input.signal ?? new AbortController().signal;
      const access = { purpose: "harvester for a similarity check", contact, pauseMs, signal };
      const source = createOaiSource({ ...{ url, set, from, until }, access, extractor, say });
      const collection = namedCollection("oai", source.collection, input.collection);
      return await ingestRecords(corpus, { ...input, say, mapping: OAI_MAPPING, source, collection });
    } finally {
      await extractor.close();
    }
  };
}

/** Repositories are often small servers, and a harvest may take days. */
const OAI_PAUSE_MS = 500;

/** The mapping alone, with its members in a fixed order, for comparison with the mapping of the last run. */
function mappingOf(input: Omit<FieldMapping, "text">, text: readonly string[]): FieldMapping {
  const { title, url, idUrl, language, html = false } = input;
  return { text, title, url, idUrl, language, html };
}
