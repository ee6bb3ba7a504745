import { SentencePieceProcessor } from "@agnai/sentencepiece-js";
import { damagedFile } from "./encoder-files.ts";

/** The numbers that the model was trained to see around a sentence. */
const SENTENCE_START = 1;
const SENTENCE_END = 2;

/** Gives the numbers of a sentence's pieces, framed by those of a sentence's start and end. */
export type SentencePieces = (sentence: string) => number[];

/**
 * The tokeniser of a SentencePiece unigram model (Kudo, 2018): Google's own, compiled to WebAssembly.
 * @param path the model's file.
 * @throws Error if the file can't be read or contains no model.
 */
export async function loadSentencePieces(path: string): Promise<SentencePieces> {
  const processor = new SentencePieceProcessor();
  await processor.load(path);
  // It keeps silent about a file that it does not understand.
  if (processor.encodeIds("a").length === 0) throw damagedFile(path);
  return (sentence) => [SENTENCE_START, ...processor.encodeIds(sentence), SENTENCE_END];
}
