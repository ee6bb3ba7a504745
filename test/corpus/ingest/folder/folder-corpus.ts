import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { pino } from "pino";
import {
  createIngestFolder,
  type IngestFolderInput,
} from "../../../../src/corpus/ingest/folder/ingest-folder.ts";
import { folderCollection } from "../../../../src/corpus/ingest/folder/walk-folder.ts";
import type { IngestResult } from "../../../../src/corpus/ingest/ingest-tally.ts";
import { type Corpus, openCorpus } from "../../../../src/service/connect-corpus.ts";
import { StoreLink } from "../../../support/faults/store-link.ts";
import { freshDatabase, freshPrefix, testStores } from "../../../support/stores.ts";
import { prose } from "../../../support/work/prose.ts";
import { type CorpusContents, readContents } from "./corpus-contents.ts";

type IngestParts = Parameters<typeof createIngestFolder>[0];

/** The first start on a new machine fetches OpenSearch, several hundred megabytes. */
const START_TIMEOUT_MS = 240_000;

/** What an ingest counts that changes nothing. */
export const NOTHING = { added: 0, replaced: 0, unchanged: 0, removed: 0, failed: 0, chunks: 0 };

/** More files than one batch holds, so that an ingest can be met between two. */
export const MANY = Object.fromEntries(
  Array.from({ length: 450 }, (_, at) => [`part-${at % 7}/${at}.txt`, prose(at, 30)]),
);

/** What the work failed with. */
export function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail("it did not fail"),
    (error: unknown) => error,
  );
}

/** A corpus and a place for folders during the tests of one `describe`, empty at the start of each test. */
export function useFolders(): { readonly folders: FolderCorpus } {
  let opened: FolderCorpus | undefined;
  before(async function () {
    this.timeout(START_TIMEOUT_MS);
    opened = await FolderCorpus.open();
  });
  afterEach(() => opened?.clear());
  after(() => opened?.close());
  return {
    get folders() {
      if (opened === undefined)
        throw new Error("the folders are there in the hooks and tests of their describe only");
      return opened;
    },
  };
}

/** A corpus of its own on the real stores, each behind a link that can be cut, and a folder to feed it from. */
export class FolderCorpus {
  readonly corpus: Corpus;
  readonly databaseUrl: string;
  readonly postgres: StoreLink;
  readonly opensearch: StoreLink;
  readonly #place: string;
  /** What the last ingest has said. */
  said: string[] = [];

  private constructor(
    corpus: Corpus,
    links: { readonly postgres: StoreLink; readonly opensearch: StoreLink },
    place: string,
  ) {
    this.corpus = corpus;
    this.postgres = links.postgres;
    this.opensearch = links.opensearch;
    this.databaseUrl = links.postgres.url;
    this.#place = place;
  }

  static async open(): Promise<FolderCorpus> {
    const { opensearchNodes } = await testStores();
    const postgres = await StoreLink.open(await freshDatabase("folder"));
    const opensearch = await StoreLink.open(opensearchNodes[0] ?? "");
    const opensearchIndexPrefix = freshPrefix();
    const corpus = await openCorpus(
      { databaseUrl: postgres.url, opensearchNodes: [opensearch.url], opensearchIndexPrefix },
      pino({ level: "silent" }),
    );
    const place = await realpath(await mkdtemp(join(tmpdir(), "ingest-folder-")));
    return new FolderCorpus(corpus, { postgres, opensearch }, place);
  }

  /** The path of a folder, or of a file in it. */
  at(...parts: readonly string[]): string {
    return join(this.#place, ...parts);
  }

  /** Writes files into a folder: their paths below it, with their contents. */
  async write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
    await mkdir(this.at(folder), { recursive: true });
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(this.at(folder, path)), { recursive: true });
      await writeFile(this.at(folder, path), content);
    }
    return this.at(folder);
  }

  ingest(
    folder: string,
    input: Partial<IngestFolderInput> = {},
    parts: Partial<IngestParts> = {},
  ): Promise<IngestResult> {
    this.said = [];
    const ingestFolder = createIngestFolder({ ...this.corpus, databaseUrl: this.databaseUrl, ...parts });
    const say = (line: string) => this.said.push(line);
    return ingestFolder({ folder: this.at(folder), language: "en", prune: false, say, ...input });
  }

  /** What the corpus holds of a folder, or of a named collection. */
  contents(folder: string, name?: string): Promise<CorpusContents> {
    return readContents(this.corpus, folderCollection(this.at(folder), name));
  }

  /** The paths that the corpus has of a folder, or of a named collection. */
  async paths(folder: string, name?: string): Promise<string[]> {
    return [...(await this.contents(folder, name)).files.keys()];
  }

  /** All of the folder is matchable, and the index holds no chunk of what is gone. */
  async expectMatchable(folder: string): Promise<void> {
    await this.corpus.cleanUpTombstones();
    const { files, strayChunks } = await this.contents(folder);
    expect(strayChunks).to.equal(0);
    for (const [path, { borders, chunks }] of files) {
      expect(
        chunks.map(({ chunk_index }) => chunk_index),
        path,
      ).to.deep.equal([...Array((borders?.length ?? 0) - 1).keys()]);
    }
  }

  /** Removes all documents and folders. */
  async clear(): Promise<void> {
    await Promise.all([this.postgres.mend(), this.opensearch.mend()]);
    await this.corpus.database.query("delete from documents");
    await this.corpus.cleanUpTombstones();
    await rm(this.#place, { recursive: true });
    await mkdir(this.#place);
  }

  async close(): Promise<void> {
    await this.corpus.close();
    await Promise.all([this.postgres.cut(), this.opensearch.cut()]);
    await rm(this.#place, { recursive: true });
  }
}
