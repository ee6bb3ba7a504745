/** Whether a UTF-16 unit is an ASCII letter or digit. */
export function isAsciiWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57);
}

/** Whether a UTF-16 unit is an ASCII character that is part of no word: a space, a sign or a control. */
export function isAsciiBorder(unit: number): boolean {
  return unit < 128 && !isAsciiWordUnit(unit);
}

/** Whether a UTF-16 unit is one of the ASCII characters that `\s` stands for. */
export function isAsciiSpace(unit: number): boolean {
  return unit === 32 || (unit >= 9 && unit <= 13);
}
