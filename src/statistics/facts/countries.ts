import listed from "./countries.json" with { type: "json" };
import aliases from "./country-aliases.json" with { type: "json" };
import regions from "./regions.json" with { type: "json" };

/** A region or sub-region of the United Nations' M49 standard. */
type Region = {
  readonly slug: string;
  readonly name: string;
  /** The three-digit code of the standard. */
  readonly m49: string;
  /** The slug of a sub-region's region; null for a region. */
  readonly parent: string | null;
};

/** The five regions, each before its sub-regions. M49's intermediate regions are left out: rates are compared one level up. */
export const REGIONS: readonly Region[] = regions;

const REGION_OF = new Map(REGIONS.map(({ slug, parent }) => [slug, parent]));

export type Country = {
  /** ISO 3166-1 alpha-2, in upper case. */
  readonly code: string;
  /** The name in everyday English. */
  readonly name: string;
  /** Slugs of M49; null for Antarctica and Kosovo, which the standard assigns to none. */
  readonly region: string | null;
  readonly subregion: string | null;
  /** False only for Kosovo, whose code XK is in use but not in ISO 3166-1. */
  readonly isIso: boolean;
};

/** The 249 countries and territories of ISO 3166-1, and Kosovo, by code. Taiwan is in Eastern Asia. */
export const COUNTRIES: readonly Country[] = [
  ...listed.map((country) => ({
    ...country,
    region: country.subregion === null ? null : (REGION_OF.get(country.subregion) ?? null),
    isIso: true,
  })),
  { code: "XK", name: "Kosovo", region: null, subregion: null, isIso: false },
].toSorted((a, b) => (a.code < b.code ? -1 : 1));

const BY_CODE = new Map(COUNTRIES.map((country) => [country.code, country]));

/** The country of an upper-case alpha-2 code. */
export function findCountry(code: string): Country | undefined {
  return BY_CODE.get(code);
}

/**
 * The alpha-2 code of a country by its English name, as Retraction Watch, GDELT and encyclopedias write it: case, accents, `&`,
 * `St.` and the article make no difference, and a name in UTF-8 that was misread as Latin-1 (`RÃ©union`) is repaired.
 */
export function countryCodeOf(name: string): string | undefined {
  return CODE_OF.get(nameKey(name)) ?? CODE_OF.get(nameKey(rereadAsUtf8(name)));
}

/** Only letters count, so that `United States`, `UnitedStates` and `united-states` are one. */
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

/** Undoes one reading of UTF-8 as Latin-1. Any other name is returned as it is. */
function rereadAsUtf8(name: string): string {
  if (!/[\u00c2-\u00f4][\u0080-\u00bf]/.test(name)) return name;
  const bytes = Uint8Array.from(name, (character) => character.charCodeAt(0) & 0xff);
  return new TextDecoder("utf-8").decode(bytes);
}

const CODE_OF = new Map([
  ...Object.entries(aliases).flatMap(([code, names]) => names.map((name) => [nameKey(name), code] as const)),
  ...COUNTRIES.map(({ code, name }) => [nameKey(name), code] as const),
]);
