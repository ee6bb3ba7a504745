import { expect } from "chai";
import { type AlignWordsInput, alignWords } from "../../src/matching/align-words.ts";
import { alignPacked, type PackedPart } from "../../src/matching/tasks.ts";
import { type PackedSection, packText } from "../../src/platform/packed-text.ts";
import type { ChunkOffsets } from "../../src/text/fingerprint-text.ts";
import { prose } from "../support/work/prose.ts";

const CHUNK_CHARS = 400;

/** Documents in memory, cut into chunks of one length, with a note of what was read and aligned. */
class Library {
  readonly reads: string[][] = [];
  readonly batches: (readonly PackedPart[])[] = [];
  /** The most calls of `align` that were under way at once. */
  atOnce = 0;
  readonly #texts: ReadonlyMap<string, string>;
  #running = 0;

  constructor(texts: Readonly<Record<string, string>>) {
    this.#texts = new Map(Object.entries(texts));
  }

  input(query: string, hits: Readonly<Record<string, readonly number[]>>, evidence = 30): AlignWordsInput {
    const queryKey = String(Math.random());
    return {
      documentsToAlign: new Map(
        Object.entries(hits).map(([id, chunks]) => [id, new Map(chunks.map((chunk) => [chunk, evidence]))]),
      ),
      pairs: new Map(Object.keys(hits).map((id) => [id, [{ queryChunk: 0 }]])),
      chunkStarts: [0],
      set: {
        findDocuments: async () =>
          [...this.#texts]
            .filter(([id]) => id in hits)
            .map(([documentId, text]) => ({
              documentId,
              language: "en",
              chunkOffsets: chunkOffsetsOf(text),
            })),
        readTexts: async (ranges) => {
          this.reads.push(
            ranges.map(({ documentId, start, end }) => `${documentId}:${chunkAt(start)}-${chunkAt(end - 1)}`),
          );
          return this.#read(ranges);
        },
      },
      align: async (documents) => {
        this.batches.push(documents);
        this.#running += 1;
        this.atOnce = Math.max(this.atOnce, this.#running);
        await new Promise((resolve) => setImmediate(resolve));
        this.#running -= 1;
        return alignPacked({
          queryKey,
          queryText: query,
          language: "en",
          frequentShingles: [],
          sourcesCompared: 1,
          documents,
        });
      },
    };
  }

  #read(ranges: Parameters<AlignWordsInput["set"]["readTexts"]>[0]): Map<string, PackedSection[]> {
    const sections = new Map<string, PackedSection[]>();
    for (const { documentId } of ranges) {
      const text = this.#texts.get(documentId) ?? "";
      if (text !== "") sections.set(documentId, packText(text));
    }
    return sections;
  }
}

function chunkOffsetsOf(text: string): ChunkOffsets {
  const count = Math.max(1, Math.ceil(text.length / CHUNK_CHARS));
  const utf16 = [...Array(count).keys()].map((index) => index * CHUNK_CHARS);
  utf16.push(text.length);
  return { utf16, codePoints: utf16 };
}

function chunkAt(offset: number): number {
  return Math.floor(offset / CHUNK_CHARS);
}

const book = prose(1, 3_000);
const chunkCount = Math.ceil(book.length / CHUNK_CHARS);

/** Whole words of the book from about one offset to about another. */
function excerpt(from: number, to: number): string {
  return book.slice(book.indexOf(" ", from) + 1, book.indexOf(" ", to));
}

describe("alignWords", () => {
  it("reads the chunks around a hit, for a passage seldom starts and ends with its chunk", async () => {
    const library = new Library({ book });
    const copied = excerpt(9.6 * CHUNK_CHARS, 11.3 * CHUNK_CHARS);
    const [source] = await alignWords(
      library.input(`${prose(2, 20)} ${copied} ${prose(3, 20)}`, { book: [10] }),
    );
    expect(library.reads).to.deep.equal([["book:9-11"]]);
    expect(source?.passages.map(({ sourceDocument }) => textIn(sourceDocument.utf16))).to.deep.equal([
      copied,
    ]);
  });

  it("reads on where a passage reaches the edge of what was read, until it ends inside", async () => {
    const library = new Library({ book });
    const copied = excerpt(6.5 * CHUNK_CHARS, 24.5 * CHUNK_CHARS);
    const [source] = await alignWords(
      library.input(`${prose(4, 20)} ${copied} ${prose(5, 20)}`, { book: [12] }),
    );
    expect(source?.passages.map(({ sourceDocument }) => textIn(sourceDocument.utf16))).to.deep.equal([
      copied,
    ]);
    expect(source?.passages[0]?.sourceChunkIndex).to.equal(6);
    expect(library.reads.length).to.be.within(3, 6);
  });

  it("reaches through a whole document from a single hit, in few steps, and stops at its ends", async () => {
    for (const hit of [0, Math.floor(chunkCount / 2), chunkCount - 1]) {
      const library = new Library({ book });
      const [source] = await alignWords(library.input(book, { book: [hit] }));
      expect(source?.passages.map(({ sourceDocument }) => sourceDocument.utf16)).to.deep.equal([
        { start: 0, end: book.length },
      ]);
      expect(library.reads.at(-1)).to.deep.equal([`book:0-${chunkCount - 1}`]);
      expect(library.reads.length).to.be.at.most(2 + Math.ceil(Math.log2(chunkCount)));
    }
  });

  it("reads nothing more where a passage ends at the document's own end", async () => {
    const library = new Library({ book });
    await alignWords(
      library.input(excerpt(book.length - 2.5 * CHUNK_CHARS, book.length), { book: [chunkCount - 2] }),
    );
    expect(library.reads).to.have.lengthOf(1);
  });

  it("aligns only the document again that reaches its edge", async () => {
    const other = prose(6, 600);
    const library = new Library({ book, other });
    const query = `${excerpt(5 * CHUNK_CHARS, 12 * CHUNK_CHARS)} ${prose(7, 20)} ${other.slice(2_100, 2_300)}`;
    const found = await alignWords(library.input(query, { book: [8], other: [5] }));
    expect(found.map(({ documentId }) => documentId).toSorted()).to.deep.equal(["book", "other"]);
    expect(library.batches[0]?.map(({ documentId }) => documentId)).to.deep.equal(["book", "other"]);
    for (const batch of library.batches.slice(1))
      expect(batch.map(({ documentId }) => documentId)).to.deep.equal(["book"]);
  });

  it("gives neighbouring chunks to the aligner in their order, whatever order they were read in", async () => {
    const library = new Library({ book });
    await alignWords(library.input(prose(8, 30), { book: [3, 20] }));
    expect(library.batches[0]?.[0]?.chunks.map(({ index }) => index)).to.deep.equal([2, 3, 4, 19, 20, 21]);
  });

  it("reads only a weak hit itself at first, and its neighbours where a passage goes on", async () => {
    const library = new Library({ book });
    await alignWords(library.input(prose(8, 30), { book: [3] }, 26));
    expect(library.reads).to.deep.equal([["book:3-3"]]);
    const [source] = await alignWords(
      library.input(excerpt(2.2 * CHUNK_CHARS, 4.6 * CHUNK_CHARS), { book: [3] }, 26),
    );
    expect(source?.passages.map(({ sourceDocument: { utf16 } }) => utf16.end - utf16.start)[0]).to.be.above(
      2.2 * CHUNK_CHARS,
    );
  });

  it("leaves out documents without a passage, and those whose chunks are gone", async () => {
    const library = new Library({ book, gone: "" });
    expect(await alignWords(library.input(prose(9, 50), { book: [3], gone: [0] }))).to.deep.equal([]);
  });

  it("splits many candidates into batches, two of them under way at once", async () => {
    const texts = Object.fromEntries(
      Array.from({ length: 250 }, (_, index) => [`d${index}`, book.slice(0, 1_900)]),
    );
    const library = new Library(texts);
    const hits = Object.fromEntries(Object.keys(texts).map((id) => [id, [2]]));
    const found = await alignWords(library.input(excerpt(900, 1_100), hits));
    expect(new Set(found.map(({ documentId }) => documentId)).size).to.equal(250);
    expect(library.batches.length).to.equal(3);
    expect(library.atOnce).to.equal(2);
  });

  it("looks for reworded text near the chunks of the query for which a document was found, and for copies in all of it", async () => {
    const library = new Library({ book });
    const copied = excerpt(10.1 * CHUNK_CHARS, 10.5 * CHUNK_CHARS);
    const words = excerpt(10.6 * CHUNK_CHARS, 11.9 * CHUNK_CHARS).split(" ");
    const reworded = words.map((word, at) => (at % 3 === 1 ? `other${at}` : word)).join(" ");
    const parts = [prose(20, 400), reworded, prose(21, 1_500), copied];
    const input = library.input(parts.join(" "), { book: [10] });
    // Each part is three chunks.
    const chunkStarts = parts.flatMap((part, at) => {
      const start = parts.slice(0, at).join(" ").length;
      return [0, 1, 2].map((third) => start + Math.floor((third * part.length) / 3));
    });
    const foundFor = async (...queryChunks: readonly number[]) => {
      const pairs = new Map([["book", queryChunks.map((queryChunk) => ({ queryChunk }))]]);
      const [source] = await alignWords({ ...input, chunkStarts, pairs });
      return source?.passages.map(({ matchType }) => matchType);
    };
    expect(await foundFor(3)).to.deep.equal(["paraphrased", "identical"]);
    expect(await foundFor(6)).to.deep.equal(["paraphrased", "identical"]);
    expect(await foundFor(11)).to.deep.equal(["identical"]);
    expect(await foundFor(4, 11)).to.deep.equal(["paraphrased", "identical"]);
    expect(library.batches.at(-1)?.[0]?.searchedParts).to.deep.equal([
      { start: chunkStarts[2], end: chunkStarts[7] },
      { start: chunkStarts[9], end: Number.MAX_SAFE_INTEGER },
    ]);
  });

  it("fails when reading fails", async () => {
    const input = new Library({ book }).input(book, { book: [1] });
    const readTexts = () => Promise.reject(new Error("the store is down"));
    const failure = await alignWords({ ...input, set: { ...input.set, readTexts } }).catch((error: unknown) =>
      String(error),
    );
    expect(failure).to.include("the store is down");
  });
});

function textIn({ start, end }: { readonly start: number; readonly end: number }): string {
  return book.slice(start, end);
}
