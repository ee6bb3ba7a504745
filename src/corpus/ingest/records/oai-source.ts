import { basename } from "node:path/posix";
import type { Extractor } from "../../../extract/extractor.ts";
import { BULK_MEDIA_TYPES, type ExtractedText } from "../../../extract/text/extracted-text.ts";
import { DomainError } from "../../../platform/domain-error.ts";
import { type HttpAccess, HttpFailure, politeRequest } from "../../../platform/http-client/polite-request.ts";
import { withoutMargins } from "../../../text/margins.ts";
import { DOCUMENT_CHARS_MAX } from "../../documents/document.ts";
import { OaiClient, type OaiRecord, type OaiRepository, type OaiSelection } from "./oai-client.ts";
import { OAI_FORMATS, type OaiFile, readOaiWork, readOreFiles } from "./oai-record.ts";
import {
  type RecordSnapshot,
  type RecordSource,
  type SourceRecord,
  VISIBLE_AFTER_MS,
} from "./record-source.ts";

type OaiSourceOptions = OaiSelection & {
  /** The base URL of the repository. */
  readonly url: string;
  readonly access: HttpAccess;
  readonly extractor: Extractor;
  /** Takes lines for a person, such as that a file could not be read. */
  readonly say: (line: string) => void;
};

type FileText = Pick<ExtractedText, "text" | "pageNotes">;

/** The fields of its records. */
export const OAI_MAPPING = { text: ["text"], title: "title", url: "url", language: "language" } as const;

/**
 * The works of a repository: the text of their files, otherwise their descriptions. A later run reads what was changed since, by the
 * datestamps of the repository, and compares all identifiers to find deletions.
 */
export function createOaiSource(options: OaiSourceOptions): RecordSource {
  const { url, set, from, until, access } = options;
  const { host, pathname } = new URL(url);
  return {
    name: `the repository ${host}`,
    collection: `oai:${host}${pathname}`,
    selection: JSON.stringify([url, set ?? null, from ?? null, until ?? null]),
    updatedField: "datestamp",
    async open() {
      const client = new OaiClient(url, access);
      return new OaiSnapshot(client, await client.identify(), options);
    },
  };
}

/** Records that are asked for one by one in the next run. */
const MISSED_MAX = 1_000;

/** A file that is larger is left out. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;

/** The time without an answer after which a file server counts as unreachable. */
const FILE_TIMEOUT_MS = 120_000;

class OaiSnapshot implements RecordSnapshot {
  readonly total = undefined;
  readonly mayHoldOtherFields = false;
  readonly #client: OaiClient;
  readonly #repository: OaiRepository;
  readonly #options: OaiSourceOptions;
  readonly #format: string;
  #since: string | undefined;
  readonly #missed = new Set<string>();

  constructor(client: OaiClient, repository: OaiRepository, options: OaiSourceOptions) {
    this.#client = client;
    this.#repository = repository;
    this.#options = options;
    this.#format = OAI_FORMATS.find((format) => repository.formats.includes(format)) ?? "oai_dc";
  }

  /**
   * A date, and behind blanks the identifiers of records whose file servers were down: the next run reads these again. If they are too
   * many, it reads all that this one did.
   */
  get newest(): string | undefined {
    if (this.#missed.size > MISSED_MAX) return this.#since;
    return [this.#repository.responseDate, ...[...this.#missed].map(encodeURIComponent)].join(" ");
  }

  async fieldNames(): Promise<readonly string[]> {
    return ["text", "title", "url", "language"];
  }

  async *records(since?: string): AsyncGenerator<readonly SourceRecord[]> {
    this.#since = since;
    const { from, ...others } = this.#selection();
    const [date, ...missed] = since?.split(" ") ?? [];
    const changed = date === undefined ? from : this.#dateOf(Date.parse(date) - VISIBLE_AFTER_MS);
    const again = new Set(missed.map(decodeURIComponent));
    const latest = [from, changed]
      .filter((date) => date !== undefined)
      .sort()
      .at(-1);
    const selection = { ...others, from: latest };
    // Repositories refuse such a range. Nothing that is selected can have changed.
    const isOver = latest !== undefined && others.until !== undefined && latest > others.until;
    const pages = isOver ? [] : this.#client.list("ListRecords", this.#format, selection);
    for await (const page of pages) {
      for (const { identifier } of page) again.delete(identifier);
      for (const record of page) if (!record.isDeleted) yield [await this.#read(record)];
      // Other processes see that the run goes on, also where a page has only deleted records.
      if (page.every(({ isDeleted }) => isDeleted)) yield [];
    }
    for (const identifier of again) yield await this.#get(identifier);
  }

  /** A record without text is read again when it has changed, not in each run. */
  async recordsOf(ids: readonly string[]): Promise<readonly SourceRecord[]> {
    if (this.#since !== undefined) return [];
    const records: SourceRecord[] = [];
    for (const id of ids) records.push(...(await this.#get(id)));
    return records;
  }

  async #get(id: string): Promise<readonly SourceRecord[]> {
    const record = await this.#client.get(this.#format, id);
    return record === undefined || record.isDeleted ? [] : [await this.#read(record)];
  }

  async *ids(): AsyncGenerator<readonly string[]> {
    for await (const page of this.#client.list("ListIdentifiers", this.#format, this.#selection()))
      yield page.filter(({ isDeleted }) => !isDeleted).map(({ identifier }) => identifier);
  }

  async close(): Promise<void> {}

  #selection(): OaiSelection {
    const { set, from, until } = this.#options;
    return {
      set,
      from: this.#inGranularity(from, "T00:00:00Z"),
      until: this.#inGranularity(until, "T23:59:59Z"),
    };
  }

  /** Repositories refuse dates of two granularities in one request. */
  #inGranularity(date: string | undefined, time: string): string | undefined {
    if (date === undefined) return undefined;
    const day = date.slice(0, 10);
    return this.#repository.hasDaysOnly ? day : date === day ? day + time : date;
  }

  #dateOf(time: number): string {
    const iso = new Date(time).toISOString();
    return this.#repository.hasDaysOnly ? iso.slice(0, 10) : iso.replace(/\.\d+Z$/, "Z");
  }

  async #read({ identifier, metadata }: OaiRecord): Promise<SourceRecord> {
    if (metadata === undefined) return { id: identifier, fields: {} };
    const work = readOaiWork(metadata);
    const read: FileText[] = [];
    if (work.isOpen) {
      const files = work.files.length > 0 ? work.files : await this.#oreFiles(identifier);
      for (const file of files) read.push(...(await this.#readFile(identifier, file)));
    }
    const { title, url, language } = work;
    const text = read.length > 0 ? read.map((file) => file.text) : work.descriptions;
    const isIncomplete = this.#missed.has(identifier);
    // The numbers of pages say nothing where there are several files.
    const pageNotes = read.length === 1 ? read[0]?.pageNotes : undefined;
    return { id: identifier, fields: { text, title, url, language }, pageNotes, isIncomplete };
  }

  async #oreFiles(identifier: string): Promise<readonly OaiFile[]> {
    if (!this.#repository.formats.includes("ore") || this.#format === "xoai") return [];
    const record = await this.#client.get("ore", identifier);
    return record?.metadata === undefined ? [] : readOreFiles(record.metadata);
  }

  /** The text of a file; none, with a line for a person, if it can't be read. */
  async #readFile(identifier: string, file: OaiFile): Promise<readonly FileText[]> {
    const { access, extractor, say } = this.#options;
    try {
      const url = new URL(file.url);
      const bytes = await download(access, url);
      const filename = basename(decodeURIComponent(url.pathname)) || "file";
      const limits = { filename, accept: BULK_MEDIA_TYPES, textCharsMax: DOCUMENT_CHARS_MAX };
      const { text, margins, pageNotes } = await extractor.extract(bytes, limits, access.signal);
      return [{ text: withoutMargins(text, margins), pageNotes }];
    } catch (error) {
      access.signal.throwIfAborted();
      if (!(error instanceof HttpFailure || error instanceof DomainError || error instanceof URIError))
        throw error;
      if (error instanceof HttpFailure && (error.status === undefined || error.status >= 500))
        this.#missed.add(identifier);
      say(`${identifier}: ${file.url} was left out. ${error.message}`);
      return [];
    }
  }
}

async function download(access: HttpAccess, url: URL): Promise<Uint8Array> {
  const request = { url, accept: "*/*", timeoutMs: FILE_TIMEOUT_MS };
  return politeRequest(access, request, async (response, alive) => {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of response.body ?? []) {
      alive();
      length += piece.length;
      if (length > FILE_BYTES_MAX)
        throw new HttpFailure(`${url.host} gave a file of more than 256 MiB`, { status: 413 });
      pieces.push(piece);
    }
    return { kind: "answer", value: Buffer.concat(pieces) };
  });
}
