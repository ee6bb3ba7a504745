/** The package has no types. */
declare module "@agnai/sentencepiece-js" {
  /** A tokeniser that has a model once `load` is done. */
  export class SentencePieceProcessor {
    /** @param path of a file that SentencePiece wrote. @throws if it can't be read; an invalid file does not throw. */
    load(path: string): Promise<void>;
    /** The numbers of the pieces of a text; none without a model. */
    encodeIds(text: string): number[];
  }
}
