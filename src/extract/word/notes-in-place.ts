/** Notes that refer to notes that refer to notes; more is an attack. */
const NOTES_IN_NOTES_MAX = 20;

type Markup = {
  /** Finds references to notes. */
  readonly reference: RegExp;
  /** The key of the note that a found reference leads to. */
  readonly keyOf: (reference: RegExpExecArray) => string;
  /** Where the paragraph ends that holds the reference at an offset; -1 if it does not end. */
  readonly paragraphEnd: (text: string, from: number) => number;
};

/**
 * Puts each note behind the first paragraph that refers to it, where a reader meets it. A note may itself refer to a note.
 * @param notes by key, as blocks of the same markup
 */
export function placeNotes(
  body: string,
  notes: ReadonlyMap<string, string>,
  { reference, keyOf, paragraphEnd }: Markup,
): string {
  const unused = new Map(notes);
  let text = body;
  for (let depth = 0; depth < NOTES_IN_NOTES_MAX && unused.size > 0; depth++) {
    const pieces: string[] = [];
    let from = 0;
    for (const match of text.matchAll(reference)) {
      const key = keyOf(match);
      // The paragraph that was last looked at may hold many more references.
      const note = unused.get(key);
      const end = note === undefined ? -1 : match.index < from ? from : paragraphEnd(text, match.index);
      if (note === undefined || end < 0) continue;
      unused.delete(key);
      pieces.push(text.slice(from, end), note);
      from = end;
    }
    if (pieces.length === 0) break;
    text = pieces.join("") + text.slice(from);
  }
  return text;
}
