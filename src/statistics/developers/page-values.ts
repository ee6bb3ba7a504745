import { FIELDS } from "../facts/fields.ts";
import { TAIL } from "../rates/poisson-interval.ts";
import { RATE_BASE } from "../rates/rate.ts";
import { PUBLICATIONS_MIN, STABLE_PAPERS_MIN } from "../rates/thresholds.ts";

/** The numbers in the texts as a language writes them; all come from where they are in force. */
export function pageValues(locale: string): { readonly [name: string]: string } {
  const number = new Intl.NumberFormat(locale);
  return {
    per: number.format(RATE_BASE),
    confidence: new Intl.NumberFormat(locale, { style: "percent" }).format(1 - 2 * TAIL),
    stable: number.format(STABLE_PAPERS_MIN),
    fields: number.format(FIELDS.length),
    countryMin: number.format(PUBLICATIONS_MIN.country),
    institutionMin: number.format(PUBLICATIONS_MIN.institution),
    limit: number.format(REQUESTS_PER_MINUTE),
  };
}

/** The specification's limit. An instance may be set to another one; its answers name it in `RateLimit-Policy`. */
const REQUESTS_PER_MINUTE = 120;
