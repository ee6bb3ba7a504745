import type { Tokens } from "../../text/words/tokenise.ts";

/** A text with its words; `tokens` offsets are UTF-16 offsets into `text`. */
export type TokenisedText = { readonly text: string; readonly tokens: Tokens };

/** A source's word that no passage crosses: it stands between parts of a document that do not follow each other. */
export const BARRIER = "\u0000";
