import listed from "./countries.json" with { type: "json" };
import { REGIONS } from "./regions.ts";

export type Country = {
  /** ISO 3166-1 alpha-2, in upper case. */
  readonly code: string;
  /** The name in everyday English. */
  readonly name: string;
  /** Slugs of M49; null for Antarctica and Kosovo, which the standard puts into none. */
  readonly region: string | null;
  readonly subregion: string | null;
  /** False for Kosovo alone, whose XK is a code in use, but none of ISO 3166-1. */
  readonly isIso: boolean;
};

const REGION_OF = new Map(REGIONS.map(({ slug, parent }) => [slug, parent]));

const KOSOVO: Country = { code: "XK", name: "Kosovo", region: null, subregion: null, isIso: false };

/** The 249 countries and territories of ISO 3166-1, and Kosovo, by code. Taiwan stands in Eastern Asia. */
export const COUNTRIES: readonly Country[] = [
  ...listed.map(({ code, name, subregion }) => ({
    code,
    name,
    region: subregion === null ? null : (REGION_OF.get(subregion) ?? null),
    subregion,
    isIso: true,
  })),
  KOSOVO,
].toSorted((a, b) => (a.code < b.code ? -1 : 1));

const BY_CODE = new Map(COUNTRIES.map((country) => [country.code, country]));

/** The country of an upper-case alpha-2 code. */
export function findCountry(code: string): Country | undefined {
  return BY_CODE.get(code);
}
