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

/** Gives the stem of a normalised word: what its inflected forms have in common. */
export type Stemmer = (word: string) => string;

/**
 * The Snowball stemmer (Porter, 2001) of a language (ISO 639-1); without one, words are their own stems. Stems are only
 * compared with each other.
 */
export function stemmerFor(language: string): Stemmer {
  return STEMMERS.get(language) ?? ((word) => word);
}

/** Stems remembered per language, about 15 MB; texts of one language share nearly all words. */
const REMEMBERED_MAX = 100_000;

/** A stemmer that stems each word once: stemming takes ten times as long as tokenising. */
function remembering(stem: Stemmer): Stemmer {
  const remembered = new Map<string, string>();
  return (word) => {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    const stemmed = word.length > STEMMED_LENGTH_MAX ? word : stem(word);
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(word, stemmed);
    return stemmed;
  };
}

/** Longer words belong to no language, and a stemmer's time may grow with the square of the length. */
const STEMMED_LENGTH_MAX = 40;

const STEMMERS: ReadonlyMap<string, Stemmer> = new Map([
  ["ar", remembering(arabic)],
  ["hy", remembering(armenian)],
  ["da", remembering(danish)],
  ["nl", remembering(dutch)],
  ["en", remembering(english)],
  ["fi", remembering(finnish)],
  ["fr", remembering(french)],
  ["de", remembering(german)],
  ["el", remembering(greek)],
  ["hu", remembering(hungarian)],
  ["hi", remembering(hindi)],
  ["id", remembering(indonesian)],
  ["ga", remembering(irish)],
  ["it", remembering(italian)],
  ["lt", remembering(lithuanian)],
  ["ne", remembering(nepali)],
  ["no", remembering(norwegian)],
  ["nb", remembering(norwegian)],
  ["nn", remembering(norwegian)],
  ["pt", remembering(portuguese)],
  ["ro", remembering(romanian)],
  ["ru", remembering(russian)],
  ["sr", remembering(serbian)],
  ["es", remembering(spanish)],
  ["sv", remembering(swedish)],
  ["ta", remembering(tamil)],
  ["tr", remembering(turkish)],
]);
