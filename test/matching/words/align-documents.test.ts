import { expect } from "chai";
import fc from "fast-check";
import { type AlignedSource, alignDocuments, type SourceChunk } from "../../../src/matching/words/align.ts";
import type { MatchedSource } from "../../../src/matching/words/source-passage.ts";
import { prepareQuery } from "../../../src/matching/words/text-pair.ts";
import { tokenise } from "../../../src/text/tokenise.ts";
import { prose } from "../../support/work/prose.ts";

/** Cuts a text into chunks at the given UTF-16 offsets. */
function chunksOf(text: string, ...cuts: readonly number[]): SourceChunk[] {
  const starts = [0, ...cuts];
  return starts.map((start, index) => ({
    index,
    start,
    startCodePoint: [...text.slice(0, start)].length,
    text: text.slice(start, starts[index + 1] ?? text.length),
  }));
}

function matches(query: string, ...documents: readonly (readonly SourceChunk[])[]): AlignedSource[] {
  const prepared = prepareQuery({ text: query, tokens: tokenise(query, "en") });
  return alignDocuments(
    prepared,
    documents.map((chunks, index) => ({ documentId: `document-${index}`, language: "en", chunks })),
  );
}

function onlyPassage(sources: readonly MatchedSource[]) {
  const [passage, ...others] = sources.flatMap(({ passages }) => passages);
  if (passage === undefined || others.length > 0) throw new Error(`${others.length + 1} passages or none`);
  return passage;
}

const copied = prose(1, 40).slice(0, -1);
const [head, tail] = [prose(2, 30), prose(3, 30)];
const query = `${prose(4, 20)} ${copied} ${prose(5, 20)}`;

describe("alignDocuments", () => {
  it("places a passage in the query, in its chunk and in the document", () => {
    const text = `${head} ${copied} ${tail}`;
    const start = head.length + 1;
    const { query: inQuery, ...place } = onlyPassage(matches(query, chunksOf(text, head.length)));
    expect(query.slice(inQuery.start, inQuery.end)).to.equal(copied);
    const span = { start, end: start + copied.length };
    expect(place).to.deep.include({
      matchType: "identical",
      sourceChunkIndex: 1,
      sourceChunk: {
        utf16: { start: 1, end: 1 + copied.length },
        codePoint: { start: 1, end: 1 + copied.length },
      },
      sourceDocument: { utf16: span, codePoint: span },
    });
    expect(copied.startsWith(place.preview.replace(/…$/u, ""))).to.equal(true);
  });

  it("gives places in both units", () => {
    const text = `😀😀 ${head} 😀 ${copied} ${tail}`;
    const cut = `😀😀 ${head} `.length;
    const { sourceChunkIndex, sourceChunk, sourceDocument } = onlyPassage(
      matches(query, chunksOf(text, cut)),
    );
    expect(sourceChunkIndex).to.equal(1);
    expect(sourceChunk.utf16.start).to.equal(3);
    expect(sourceChunk.codePoint.start).to.equal(2);
    expect(sourceDocument.utf16.start).to.equal(cut + 3);
    expect(sourceDocument.codePoint.start).to.equal(cut + 3 - 3);
    expect(text.slice(sourceDocument.utf16.start, sourceDocument.utf16.end)).to.equal(copied);
  });

  it("finds a single passage across adjacent chunks, wherever they are cut", () => {
    const text = `${head} 😀 ${copied} ${tail}`;
    const start = text.indexOf(copied);
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: start + 1, max: start + copied.length - 1 }), { maxLength: 4 }),
        (cuts) => {
          const chunks = chunksOf(text, ...cuts.toSorted((a, b) => a - b));
          const passage = onlyPassage(matches(query, chunks));
          expect(passage.sourceChunkIndex).to.equal(0);
          expect(passage.sourceChunk).to.deep.equal(passage.sourceDocument);
          expect(text.slice(passage.sourceDocument.utf16.start, passage.sourceDocument.utf16.end)).to.equal(
            copied,
          );
        },
      ),
      { seed: 11, numRuns: 40 },
    );
  });

  it("counts a passage from the chunk in which it begins, even if it extends beyond that chunk", () => {
    const text = `${head} ${copied} ${tail}`;
    const start = head.length + 1;
    const chunks = chunksOf(text, start, start + 20, start + 60);
    const { sourceChunkIndex, sourceChunk } = onlyPassage(matches(query, chunks));
    expect(sourceChunkIndex).to.equal(1);
    expect(sourceChunk.utf16).to.deep.equal({ start: 0, end: copied.length });
  });

  it("places passages of a document of which only some chunks are available", () => {
    const text = `${prose(6, 500)} ${copied} ${prose(7, 500)}`;
    const start = text.indexOf(copied);
    const chunks = chunksOf(text, 300, start - 100, start + 50, start + copied.length + 100).filter(
      ({ index }) => index === 2 || index === 3,
    );
    const passage = onlyPassage(matches(query, chunks));
    expect(passage.sourceChunkIndex).to.equal(2);
    expect(passage.sourceChunk.utf16.start).to.equal(100);
    expect(passage.sourceDocument.utf16).to.deep.equal({ start, end: start + copied.length });
  });

  it("finds no passage across chunks that are not adjacent", () => {
    const words = copied.split(" ");
    const [one, between, two] = [`${words.slice(0, 20).join(" ")} `, tail, words.slice(20).join(" ")];
    const chunks = chunksOf(one + between + two, one.length, one.length + between.length);
    const [source] = matches(query, chunks.toSpliced(1, 1));
    expect(source?.passages.map(({ sourceChunkIndex }) => sourceChunkIndex)).to.deep.equal([0, 2]);
  });

  it("gives the evidence of a passage and the matches that were dropped", () => {
    const phrase = copied.split(" ").slice(0, 6).join(" ");
    const [found] = matches(query, chunksOf(`${phrase} ${head} ${copied} ${tail}`));
    const [passage] = found?.passages ?? [];
    expect(passage?.evidence).to.deep.include({ matchedWords: 40, similarity: 1 });
    expect(passage?.evidence?.seeds).to.be.at.least(1);
    expect(passage?.evidence?.score).to.be.above(0);
    const dropped = found?.dropped.matches ?? [];
    for (const { query: span, sourceDocument } of dropped) {
      expect(query.slice(span.start, span.end)).to.not.equal("");
      expect(sourceDocument.utf16.end).to.be.greaterThan(sourceDocument.utf16.start);
    }
    const counted = Object.values(found?.dropped.counts ?? {}).reduce((sum, count) => sum + count, 0);
    expect(dropped).to.have.lengthOf(Math.min(5, counted));
  });

  it("leaves out documents without any match and keeps the others in their order", () => {
    const with_ = chunksOf(`${head} ${copied}`);
    const found = matches(query, with_, chunksOf(tail), [], with_);
    expect(found.map(({ documentId }) => documentId)).to.deep.equal(["document-0", "document-3"]);
  });

  it("tokenises a source in its own language", () => {
    const text = "ห้องสมุดประจำเมืองจะเปิดให้บริการถึงเวลาสามทุ่มตั้งแต่สัปดาห์หน้าเป็นต้นไป";
    const prepared = prepareQuery({ text, tokens: tokenise(text, "th") });
    const [source] = alignDocuments(prepared, [{ documentId: "d", language: "th", chunks: chunksOf(text) }]);
    expect(source?.passages.map(({ query: span }) => text.slice(span.start, span.end))).to.deep.equal([text]);
  });

  it("gives the same passages of a document, whatever other documents are aligned with it", () => {
    const documents = [`${head} ${copied}`, tail, `${copied} ${tail}`].map((text) => chunksOf(text, 50));
    const together = matches(query, ...documents).map(({ passages }) => passages);
    const alone = documents.flatMap((document) => matches(query, document).map(({ passages }) => passages));
    expect(together).to.deep.equal(alone);
  });
});
