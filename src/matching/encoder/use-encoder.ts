import { fstatSync, openSync, readSync } from "node:fs";
import { SentencePieceProcessor } from "@agnai/sentencepiece-js";
import { type Centroids, greatest, type NearCentroid } from "../meaning/centroids.ts";
import type { EncoderFiles } from "./encoder-files.ts";
import { NEIGHBOUR_OFFSETS, PIECE_TABLE_BYTES, USE_DIMENSIONS } from "./use-model.ts";

/** Pieces that are encoded together. A third less and twice as many take a tenth longer. */
const PIECES_PER_RUN = 384;

/** The most pieces of a sentence that count, some 200 words; the mean of more would say little. */
const PIECES_MAX = 256;

/** Encodes sentences: vectors of 512 dimensions and length 1, one after the other. */
type EncodeSentences = (sentences: readonly string[]) => Promise<Float32Array>;

/** Loads the Universal Sentence Encoder in this process, 100 MB; it uses one core. @throws Error without onnxruntime-node. */
export async function loadUseEncoder(files: EncoderFiles): Promise<EncodeSentences> {
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const session = await InferenceSession.create(files.graph, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  const piecesOf = await loadSentencePieces(files.pieces);
  const table = openSync(files.pieceTable, "r");
  if (fstatSync(table).size !== PIECE_TABLE_BYTES) throw damagedFile(files.pieceTable);
  // From the system's cache, in which other processes share it: 2 ms for 500 pieces.
  const rowsOf = (distinct: readonly number[]): Uint8Array => {
    const rows = new Uint8Array(distinct.length * USE_DIMENSIONS);
    for (const [at, piece] of distinct.entries()) {
      const read = readSync(table, rows, at * USE_DIMENSIONS, USE_DIMENSIONS, piece * USE_DIMENSIONS);
      if (read < USE_DIMENSIONS) throw new Error(`the piece table has no piece ${piece}`);
    }
    return rows;
  };

  const run = async (batch: readonly (readonly number[])[]): Promise<Float32Array> => {
    const total = batch.reduce((sum, { length }) => sum + length, 0);
    // Of the distinct pieces, in the order of their first places.
    const positions = new Map<number, bigint>();
    const pieces = new BigInt64Array(total);
    const neighbours = new BigInt64Array(total * NEIGHBOUR_OFFSETS.length).fill(BigInt(total));
    const membership = new Float32Array(batch.length * total);
    const lengths = Float32Array.from(batch, ({ length }) => length);
    let start = 0;
    for (const [sentence, ids] of batch.entries()) {
      membership.fill(1, sentence * total + start, sentence * total + start + ids.length);
      for (const [at, id] of ids.entries()) {
        const position = positions.get(id) ?? BigInt(positions.size);
        positions.set(id, position);
        pieces[start + at] = position;
        for (const [column, offset] of NEIGHBOUR_OFFSETS.entries()) {
          const other = at + offset;
          if (other < 0 || other >= ids.length) continue;
          neighbours[(start + at) * NEIGHBOUR_OFFSETS.length + column] = BigInt(start + other);
        }
      }
      start += ids.length;
    }
    const distinct = [...positions.keys()];
    const { vectors } = await session.run({
      distinct: new Tensor("int64", BigInt64Array.from(distinct, BigInt), [distinct.length]),
      rows: new Tensor("uint8", rowsOf(distinct), [distinct.length, USE_DIMENSIONS]),
      pieces: new Tensor("int64", pieces, [total]),
      neighbours: new Tensor("int64", neighbours, [total, NEIGHBOUR_OFFSETS.length]),
      membership: new Tensor("float32", membership, [batch.length, total]),
      lengths: new Tensor("float32", lengths, [batch.length, 1]),
    });
    if (!(vectors?.data instanceof Float32Array)) throw new Error("the encoder gave no vectors");
    return vectors.data;
  };

  return async (sentences) => {
    const vectors = new Float32Array(sentences.length * USE_DIMENSIONS);
    let batch: number[][] = [];
    let pieces = 0;
    let done = 0;
    const flush = async () => {
      vectors.set(await run(batch), done * USE_DIMENSIONS);
      done += batch.length;
      batch = [];
      pieces = 0;
    };
    for (const sentence of sentences) {
      const ids = piecesOf(sentence).slice(0, PIECES_MAX);
      if (batch.length > 0 && pieces + ids.length > PIECES_PER_RUN) await flush();
      batch.push(ids);
      pieces += ids.length;
    }
    if (batch.length > 0) await flush();
    return vectors;
  };
}

/** The numbers that the model was trained to see around a sentence. */
const SENTENCE_START = 1;
const SENTENCE_END = 2;

/**
 * The tokeniser of a SentencePiece unigram model (Kudo, 2018): a build of Google's program for WebAssembly.
 * @param path the model's file. @returns the numbers of a sentence's pieces, between those for its start and its end.
 * @throws Error if the file can't be read or contains no model.
 */
export async function loadSentencePieces(path: string): Promise<(sentence: string) => number[]> {
  const processor = new SentencePieceProcessor();
  await processor.load(path);
  // load() does not report an invalid file.
  if (processor.encodeIds("a").length === 0) throw damagedFile(path);
  // It would read half a surrogate pair and the character behind it as one.
  return (sentence) => [SENTENCE_START, ...processor.encodeIds(sentence.toWellFormed()), SENTENCE_END];
}

/** The error for a file that `prepareEncoder` can't have written. */
function damagedFile(path: string): Error {
  return new Error(`${path} is damaged: delete its folder, and the next start creates it again`);
}

/** An ONNX model that multiplies `vectors` by `centroids`; `tools/encoder/cosines-graph.ts` writes it. */
export const COSINES_GRAPH =
  "CAg6oAEKMgoHdmVjdG9ycwoJY2VudHJvaWRzEgdjb3NpbmVzIgRHZW1tKg0KBnRyYW5zQhgBoAECEhFuZWFyZXN0LWNlbnRyb2lkc1obCgd2ZWN0b3JzEhAKDggBEgoKAxIBcwoDEgFuWh0KCWNlbnRyb2lkcxIQCg4IARIKCgMSAWsKAxIBbmIbCgdjb3NpbmVzEhAKDggBEgoKAxIBcwoDEgFrQgIQEUIRCg1jb20ubWljcm9zb2Z0EAE=";

/** Finds the nearest centroids of vectors that stand one after the other, by one multiplication of matrices. */
export async function createNearestCentroids({ values, dimensions }: Centroids) {
  const { InferenceSession, Tensor } = await import("onnxruntime-node");
  const total = values.length / dimensions;
  const graph = Buffer.from(COSINES_GRAPH, "base64");
  const session = await InferenceSession.create(graph, { intraOpNumThreads: 1, enableCpuMemArena: false });
  const centroids = new Tensor("float32", values, [total, dimensions]);

  return async (vectors: Float32Array, count: number): Promise<NearCentroid[][]> => {
    const rows = vectors.length / dimensions;
    const { cosines } = await session.run({
      vectors: new Tensor("float32", vectors, [rows, dimensions]),
      centroids,
    });
    const found = cosines?.data;
    if (!(found instanceof Float32Array)) throw new Error("the multiplication gave no cosines");
    return Array.from({ length: rows }, (_, row) =>
      greatest(total, (centroid) => found[row * total + centroid] ?? 0, count),
    );
  };
}
