import { decodeHTMLStrict } from "entities";

/**
 * Replaces HTML character references once: `&amp;ndash;` becomes `&ndash;`. A reference that is unknown or denotes no character
 * is kept, so that it can be noticed.
 */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|[A-Za-z]\w{1,7});/g, (whole, decimal, hex) => {
    if (decimal === undefined && hex === undefined) return decodeHTMLStrict(whole);
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return isCharacter(code) ? String.fromCodePoint(code) : whole;
  });
}

function isCharacter(code: number): boolean {
  return code >= 0x20 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) && (code < 0x7f || code > 0x9f);
}
