import { Tokenizer } from "@huggingface/tokenizers";
import protobuf from "protobufjs/light.js";

/** The numbers that the model was trained to see around a sentence, and in the place of an unknown piece. */
const UNKNOWN = 0;
const SENTENCE_START = 1;
const SENTENCE_END = 2;

/** Words whose pieces are remembered: about 10 MB. */
const WORDS_REMEMBERED_MAX = 20_000;

/** The mark that SentencePiece puts in place of the space before a word. */
const SPACE_MARK = "\u2581";

/** Gives the numbers of a sentence's pieces, framed by those of a sentence's start and end. */
export type SentencePieces = (sentence: string) => number[];

/**
 * The tokeniser of a SentencePiece unigram model (Kudo, 2018). Words are split one by one and remembered, since no piece
 * of such a model crosses a space.
 * @param model the bytes of the model's file.
 */
export function createSentencePieces(model: Uint8Array): SentencePieces {
  const tokenizer = new Tokenizer(
    {
      version: "1.0",
      truncation: null,
      padding: null,
      added_tokens: [],
      // Without its table of characters this is Unicode's NFKC, with which all but control characters come out the same.
      normalizer: { type: "Precompiled", precompiled_charsmap: "" },
      pre_tokenizer: {
        type: "Metaspace",
        replacement: SPACE_MARK,
        add_prefix_space: true,
        prepend_scheme: "always",
      },
      post_processor: null,
      decoder: null,
      model: { type: "Unigram", vocab: vocabularyOf(model), unk_id: UNKNOWN },
    },
    {},
  );
  const remembered = new Map<string, readonly number[]>();
  const piecesOf = (word: string): readonly number[] => {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    const pieces = tokenizer.encode(word, { add_special_tokens: false }).ids;
    if (remembered.size >= WORDS_REMEMBERED_MAX) remembered.clear();
    remembered.set(word, pieces);
    return pieces;
  };
  return (sentence) => {
    const words = sentence.split(/\s+/).filter((word) => word !== "");
    return [SENTENCE_START, ...words.flatMap(piecesOf), SENTENCE_END];
  };
}

/** Each piece with its log-probability, by its number. */
function vocabularyOf(model: Uint8Array): [string, number][] {
  const { pieces } = PieceModel.toObject(PieceModel.decode(model));
  if (!Array.isArray(pieces)) throw new Error("the model of sentence pieces has no pieces");
  return pieces.map(({ piece, score }) => [String(piece), Number(score)]);
}

/** The part of `sentencepiece_model.proto` that holds the vocabulary. */
const PieceModel = protobuf.Root.fromJSON({
  nested: {
    Piece: { fields: { piece: { type: "string", id: 1 }, score: { type: "float", id: 2 } } },
    PieceModel: { fields: { pieces: { rule: "repeated", type: "Piece", id: 1 } } },
  },
}).lookupType("PieceModel");
