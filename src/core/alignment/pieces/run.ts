/** Words that are equal one by one on both sides: `words` of them, from the given word positions on. */
export type Run = { readonly queryWord: number; readonly sourceWord: number; readonly words: number };
