import { stemmer as arabic } from "@orama/stemmers/arabic";
import { stemmer as armenian } from "@orama/stemmers/armenian";
import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as english } from "@orama/stemmers/english";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as hindi } from "@orama/stemmers/indian";
import { stemmer as indonesian } from "@orama/stemmers/indonesian";
import { stemmer as irish } from "@orama/stemmers/irish";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as lithuanian } from "@orama/stemmers/lithuanian";
import { stemmer as nepali } from "@orama/stemmers/nepali";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as serbian } from "@orama/stemmers/serbian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as tamil } from "@orama/stemmers/tamil";
import { stemmer as turkish } from "@orama/stemmers/turkish";

/** Gives the stem of a normalised word: the part that its inflected forms share. */
export type Stemmer = (word: string) => string;

/** The Snowball stemmer (Porter, 2001) of a language (ISO 639-1); in other languages words are their own stems. */
export function stemmerFor(language: string): Stemmer {
  return STEMMERS.get(language) ?? ((word) => word);
}

/** Stems remembered per language, about 15 MB; texts of one language share nearly all words. */
const REMEMBERED_MAX = 100_000;

/** Computes the result for each word once; after `max` words the memory is emptied. */
export function remembering<T>(compute: (word: string) => T, max: number): (word: string) => T {
  const remembered = new Map<string, T>();
  return (word) => {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    const computed = compute(word);
    if (remembered.size >= max) remembered.clear();
    remembered.set(word, computed);
    return computed;
  };
}

/** Stemming takes ten times the time of tokenising. */
function stemsOnce(stem: Stemmer): Stemmer {
  return remembering((word) => (word.length > STEMMED_LENGTH_MAX ? word : stem(word)), REMEMBERED_MAX);
}

/** Longer words belong to no language, and a stemmer's time may grow with the square of the length. */
const STEMMED_LENGTH_MAX = 40;

const STEMMERS: ReadonlyMap<string, Stemmer> = new Map([
  ["ar", stemsOnce(arabic)],
  ["hy", stemsOnce(armenian)],
  ["da", stemsOnce(danish)],
  ["nl", stemsOnce(dutch)],
  ["en", stemsOnce(english)],
  ["fi", stemsOnce(finnish)],
  ["fr", stemsOnce(french)],
  ["de", stemsOnce(german)],
  ["el", stemsOnce(greek)],
  ["hu", stemsOnce(hungarian)],
  ["hi", stemsOnce(hindi)],
  ["id", stemsOnce(indonesian)],
  ["ms", stemsOnce(indonesian)],
  ["ga", stemsOnce(irish)],
  ["it", stemsOnce(italian)],
  ["lt", stemsOnce(lithuanian)],
  ["ne", stemsOnce(nepali)],
  ["no", stemsOnce(norwegian)],
  ["nb", stemsOnce(norwegian)],
  ["nn", stemsOnce(norwegian)],
  ["pt", stemsOnce(portuguese)],
  ["ro", stemsOnce(romanian)],
  ["ru", stemsOnce(russian)],
  ["sr", stemsOnce(serbian)],
  ["es", stemsOnce(spanish)],
  ["sv", stemsOnce(swedish)],
  ["ta", stemsOnce(tamil)],
  ["tr", stemsOnce(turkish)],
]);
