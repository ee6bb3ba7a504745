import type { Span } from "../../text/span.ts";
import type { NearCentroid } from "./centroids.ts";
import type { MeaningModel } from "./meaning-model.ts";
import { codeBytes, writeSentenceCode } from "./sentence-code.ts";

/** The fingerprint of a sentence's meaning: all that is kept of its vector. */
export type SentenceFingerprint = {
  /** In UTF-16 units of its text. */
  readonly span: Span;
  /** The number of the nearest cell, by which the sentence is searched for. */
  readonly cell: number;
  /** Its usual cosine with other sentences, from 0 to 1. */
  readonly background: number;
  /** The signs of its vector; equally long for all sentences of a model. */
  readonly code: Uint8Array;
};

/**
 * The background of a sentence, which is subtracted from its cosines: a sentence that is near many others proves nothing when it is
 * near one more (as in CSLS; Conneau et al., 2018). Its nearest centroids represent these others.
 */
export function backgroundOf({ calibration }: MeaningModel, nearest: readonly NearCentroid[]): number {
  const mean = nearest.reduce((sum, { cosine }) => sum + cosine, 0) / Math.max(1, nearest.length);
  return calibration.background.base + calibration.background.slope * mean;
}

/** Nearest centroids whose cells are examined: the nearest cell of a corpus sentence nearly always belongs to its nearest centroid. */
const CENTROIDS_OF_CELL = 1;

/** The fingerprints of sentences: their vectors stand one after the other in `vectors`. */
export function fingerprintSentences(
  model: MeaningModel,
  spans: readonly Span[],
  vectors: Float32Array,
  nearestCentroids: readonly (readonly NearCentroid[])[],
): SentenceFingerprint[] {
  const { dimensions } = model.centroids;
  return spans.map((span, at) => {
    const vector = vectors.subarray(at * dimensions, (at + 1) * dimensions);
    const code = new Uint8Array(codeBytes(dimensions));
    writeSentenceCode(vector, model.mean, code, 0);
    const near = nearestCentroids[at] ?? [];
    const [nearest] = model.cells.nearest(vector, near.slice(0, CENTROIDS_OF_CELL), 1);
    return { span, cell: nearest?.cell ?? 0, background: backgroundOf(model, near), code };
  });
}

/** Some sentences of a text that follow each other, in `body` one record after the other. */
export type SentenceSection = {
  readonly start: number;
  readonly end: number;
  readonly count: number;
  readonly body: Uint8Array;
};

/** The gap to the sentence before, the length, the cell, the background and the code. */
const GAP_AT = 0;
const LENGTH_AT = 2;
const CELL_AT = 4;
const BACKGROUND_AT = 7;
const CODE_AT = 8;

/** At most 1.9 KB: four rows fill a page of PostgreSQL, and a search reads little beside the sentences it is about. */
export const SECTION_SENTENCES_MAX = 32;

const OFFSET_MAX = 0xffff;
const BACKGROUND_STEPS = 255;

/** Packs sentences in the order of their text. A gap of more than 65,535 units begins a new section. */
export function packSentences(sentences: readonly SentenceFingerprint[]): SentenceSection[] {
  const sections: SentenceSection[] = [];
  let section: SentenceFingerprint[] = [];
  for (const sentence of sentences) {
    const last = section.at(-1);
    const isFar = last !== undefined && sentence.span.start - last.span.end > OFFSET_MAX;
    if (isFar || section.length === SECTION_SENTENCES_MAX) {
      sections.push(packSection(section));
      section = [];
    }
    section.push(sentence);
  }
  return section.length === 0 ? sections : [...sections, packSection(section)];
}

function packSection(sentences: readonly SentenceFingerprint[]): SentenceSection {
  const recordBytes = CODE_AT + (sentences[0]?.code.length ?? 0);
  const body = new Uint8Array(sentences.length * recordBytes);
  const view = new DataView(body.buffer);
  const start = sentences[0]?.span.start ?? 0;
  let end = start;
  for (const [at, { span, cell, background, code }] of sentences.entries()) {
    const base = at * recordBytes;
    view.setUint16(base + GAP_AT, span.start - end);
    view.setUint16(base + LENGTH_AT, Math.min(OFFSET_MAX, span.end - span.start));
    view.setUint16(base + CELL_AT, Math.floor(cell / 256));
    view.setUint8(base + CELL_AT + 2, cell % 256);
    body[base + BACKGROUND_AT] = Math.round(Math.min(1, Math.max(0, background)) * BACKGROUND_STEPS);
    body.set(code, base + CODE_AT);
    end = span.end;
  }
  return { start, end, count: sentences.length, body };
}

/**
 * The fingerprints of sections, in the order of their text; with `within`, only of the sentences that begin there. The codes are
 * views of the bodies.
 */
export function unpackSentences(
  sections: readonly SentenceSection[],
  within: Span = { start: 0, end: Number.POSITIVE_INFINITY },
): SentenceFingerprint[] {
  const sentences: SentenceFingerprint[] = [];
  for (const { start, count, body } of sections.toSorted((a, b) => a.start - b.start)) {
    if (start >= within.end) break;
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    const recordBytes = body.length / count;
    let end = start;
    for (let at = 0; at < count; at++) {
      const base = at * recordBytes;
      const from = end + view.getUint16(base + GAP_AT);
      end = from + view.getUint16(base + LENGTH_AT);
      if (from < within.start || from >= within.end) continue;
      sentences.push({
        span: { start: from, end },
        cell: view.getUint16(base + CELL_AT) * 256 + view.getUint8(base + CELL_AT + 2),
        background: (body[base + BACKGROUND_AT] ?? 0) / BACKGROUND_STEPS,
        code: body.subarray(base + CODE_AT, base + recordBytes),
      });
    }
  }
  return sentences;
}

/** For each chunk with sentences, the cells of the sentences that begin in it. @param chunkStarts ascending. */
export function cellsByChunk(
  sentences: readonly Pick<SentenceFingerprint, "span" | "cell">[],
  chunkStarts: readonly number[],
): Map<number, Set<number>> {
  const cells = new Map<number, Set<number>>();
  let chunk = 0;
  for (const { span, cell } of sentences) {
    while ((chunkStarts[chunk + 1] ?? Number.POSITIVE_INFINITY) <= span.start) chunk++;
    const ofChunk = cells.get(chunk) ?? new Set();
    ofChunk.add(cell);
    cells.set(chunk, ofChunk);
  }
  return cells;
}
