import { expect } from "chai";
import type { IngestIndexInput, IngestResult } from "../../../../src/index.ts";
import type { Corpus } from "../../../../src/service/connect-corpus.ts";
import { useCorpus } from "../../../support/use-corpus.ts";
import { type CorpusContents, readContents } from "../folder/corpus-contents.ts";

type Documents = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A corpus and indices beside it, from which it is fed. */
export function useIndices() {
  const made = useCorpus();
  const said: string[] = [];
  const nameOf = (name: string) => `${made.options.opensearchIndexPrefix}source-${name}`;

  afterEach(async () => {
    const { opensearch, database, cleanUpTombstones } = made.corpus;
    await opensearch.indices.delete({ index: nameOf("*") });
    await database.query("delete from documents");
    await database.query("delete from ingested_collections");
    await cleanUpTombstones();
  });

  return {
    said,
    nameOf,
    get corpus(): Corpus {
      return made.corpus;
    },
    get options() {
      return made.options;
    },
    /** Writes documents by their `_id` into an index, which is created if it is missing. */
    async write(name: string, documents: Documents): Promise<void> {
      const operations = Object.entries(documents).flatMap(([_id, fields]) => [{ index: { _id } }, fields]);
      const { body } = await made.corpus.opensearch.bulk({
        index: nameOf(name),
        body: operations,
        refresh: true,
      });
      expect(body.errors).to.equal(false);
    },
    async remove(name: string, ids: readonly string[]): Promise<void> {
      const body = ids.map((_id) => ({ delete: { _id } }));
      await made.corpus.opensearch.bulk({ index: nameOf(name), body, refresh: true });
    },
    ingest(name: string, input: Partial<IngestIndexInput> = {}): Promise<IngestResult> {
      said.length = 0;
      const say = (line: string) => said.push(line);
      return made.corpus.ingestIndex({ from: nameOf(name), text: ["body"], say, ...input });
    },
    contents(name: string): Promise<CorpusContents> {
      return readContents(made.corpus, `index:${nameOf(name)}`);
    },
    /** All documents of the index are matchable, and the chunk index holds no chunk of what is gone. */
    async expectMatchable(name: string): Promise<void> {
      await made.corpus.cleanUpTombstones();
      const { files, strayChunks } = await this.contents(name);
      expect(strayChunks).to.equal(0);
      for (const [path, { borders, chunks }] of files)
        expect(chunks.length, path).to.equal((borders?.length ?? 0) - 1);
    },
  };
}
