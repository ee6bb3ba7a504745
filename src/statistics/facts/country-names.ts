import { COUNTRIES } from "./countries.ts";
import aliases from "./country-aliases.json" with { type: "json" };

const CODE_OF = new Map([
  ...Object.entries(aliases).flatMap(([code, names]) => names.map((name) => [nameKey(name), code] as const)),
  ...COUNTRIES.map(({ code, name }) => [nameKey(name), code] as const),
]);

/**
 * The alpha-2 code of a country by its English name, as Retraction Watch, GDELT and encyclopedias write it: case, accents, `&`,
 * `St.` and the article make no difference, and a name in UTF-8 that was once read as windows-1252 (`RÃ©union`) is read again.
 */
export function countryCodeOf(name: string): string | undefined {
  return CODE_OF.get(nameKey(name)) ?? CODE_OF.get(nameKey(rereadAsUtf8(name)));
}

/** Letters are all that counts, so that `United States`, `UnitedStates` and `united-states` are one. */
function nameKey(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("&", " and ")
    .replaceAll(/\bst\b/g, " saint ")
    .replaceAll(/\bthe\b/g, " ")
    .replaceAll(/\P{L}/gu, "");
}

/** Undoes one reading of UTF-8 as Latin-1; the name itself when it can't have been that. */
function rereadAsUtf8(name: string): string {
  if (!/[\u00c2-\u00f4][\u0080-\u00bf]/.test(name)) return name;
  const bytes = Uint8Array.from(name, (character) => character.charCodeAt(0) & 0xff);
  return new TextDecoder("utf-8").decode(bytes);
}
