/** The first letters of a word, counted in code points; all of a word that has no more. */
export function wordBeginning(word: string, letters: number): string {
  if (word.length <= letters) return word;
  // Letters outside the basic plane are two units long, and are not to be cut in two.
  for (let at = 0; at < letters; at++) {
    if ((word.charCodeAt(at) & 0xf800) === 0xd800) return [...word].slice(0, letters).join("");
  }
  return word.slice(0, letters);
}
