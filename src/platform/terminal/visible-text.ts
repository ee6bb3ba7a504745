/**
 * Text as it may stand on a terminal: control characters, direction marks and line separators are shown as escapes, because
 * a name or a text may hold what a terminal takes for a command. Tabs and line ends count among them.
 */
export function visibleText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** JSON in one line in which these characters are escaped too; JSON itself escapes only those below a space. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
