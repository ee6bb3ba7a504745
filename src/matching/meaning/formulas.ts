/** Formulas as TeX writes them. A dollar sign beside a blank or before a digit is money. */
const FORMULA = /\$(?![ \p{Nd}])[^$\n]{0,399}[^$\n ]\$(?!\p{Nd})|\\[a-z]{1,40}|[_^\{\}]/giv;

/** The UTF-16 units of a sentence that belong to formulas in TeX. */
export function formulaLength(sentence: string): number {
  let length = 0;
  for (const [formula] of sentence.matchAll(FORMULA)) length += formula.length;
  return length;
}
