import { SentencePieceProcessor } from "@agnai/sentencepiece-js";

/** The numbers that the model was trained to see around a sentence. */
const SENTENCE_START = 1;
const SENTENCE_END = 2;

/** The error for a file that `prepareEncoder` can't have written. */
export function damagedFile(path: string): Error {
  return new Error(`${path} is damaged: delete its folder, and the next start creates it again`);
}

/** Gives the numbers of a sentence's pieces between the numbers for a sentence's start and end. */
export type SentencePieces = (sentence: string) => number[];

/**
 * The tokeniser of a SentencePiece unigram model (Kudo, 2018): a build of Google's program for WebAssembly.
 * @param path the model's file.
 * @throws Error if the file can't be read or contains no model.
 */
export async function loadSentencePieces(path: string): Promise<SentencePieces> {
  const processor = new SentencePieceProcessor();
  await processor.load(path);
  // load() does not report an invalid file.
  if (processor.encodeIds("a").length === 0) throw damagedFile(path);
  // It would read half a surrogate pair and the character behind it as one.
  return (sentence) => [SENTENCE_START, ...processor.encodeIds(sentence.toWellFormed()), SENTENCE_END];
}
