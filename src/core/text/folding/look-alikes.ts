/** The alphabets whose letters stand in for each other's. */
export const ALPHABETS = ["Latin", "Greek", "Cyrillic"] as const;
export type Alphabet = (typeof ALPHABETS)[number];

/**
 * Letters that can be taken for a Latin one, by script: a selection from Unicode's confusables (UTS #39) of what readers
 * really mistake, with the small Cyrillic letters that look like small capitals, which disguises also use.
 */
const AS_LATIN = {
  Cyrillic:
    "аa вb ьb сc ԁd еe һh нh іi јj кk ӏl мm оo рp ԛq гr ѕs тt ѵv ԝw хx уy үy АA ВB ЬB СC ԀD ЕE ԌG НH ІI ӀI ЈJ КK МM ОO РP ԚQ ЅS ТT ѴV ԜW ХX УY ҮY",
  Greek: "αa εe ηn ιi κk νv οo ρp τt υu χx γy ωw ϳj ΑA ΒB ΕE ΖZ ΗH ΙI ͿJ ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX",
  Armenian: "օo ոn սu հh զq ցg յj ՕO ՍU ՏS",
  Coptic: "ⲟo ⲣp ⲥc ⲁa ⲭx ⲞO ⲢP ⲤC ⲀA ⲬX ⲎH ⲔK ⲘM ⲚN ⲦT",
  Cherokee: "ᎠD ᎡR ᎢT ᎪA ᎫJ ᎬE ᎳW ᎷM ᎻH ᏀG ᏃZ ᏙV ᏚS ᏞL ᏟC ᏢP ᏦK ᏴB",
  Lisu: "ꓮA ꓐB ꓚC ꓓD ꓰE ꓝF ꓖG ꓧH ꓲI ꓙJ ꓗK ꓡL ꓟM ꓠN ꓳO ꓑP ꓣR ꓢS ꓔT ꓴU ꓦV ꓪW ꓫX ꓬY ꓜZ",
} as const;

/** What a Latin letter passes for in another alphabet: only letters that look the same in the same case. */
const FROM_LATIN = {
  Cyrillic: "aа cс eе iі jј oо pр sѕ xх yу AА BВ CС EЕ HН IІ JЈ KК MМ OО PР SЅ TТ XХ YУ",
  Greek: "aα iι kκ nη oο pρ uυ vν xχ AΑ BΒ EΕ ZΖ HΗ IΙ KΚ MΜ NΝ OΟ PΡ TΤ YΥ XΧ",
} as const;

const TO_LATIN: ReadonlyMap<string, string> = new Map(Object.values(AS_LATIN).flatMap(pairs));
const TO_CYRILLIC: ReadonlyMap<string, string> = new Map(pairs(FROM_LATIN.Cyrillic));
const TO_GREEK: ReadonlyMap<string, string> = new Map(pairs(FROM_LATIN.Greek));

/** The letter of `alphabet` that `letter`, of another script, can be taken for; as long in UTF-16 units. */
export function lookAlike(letter: string, alphabet: Alphabet): string | undefined {
  const latin = TO_LATIN.get(letter);
  if (alphabet === "Latin") return latin;
  return (alphabet === "Greek" ? TO_GREEK : TO_CYRILLIC).get(latin ?? letter);
}

/**
 * Small letters that look Latin in both cases, with their Latin letters: a word of nothing else ("а", "со", "оса") can't be told
 * from a Latin one by its letters.
 */
export const SHARED_LETTERS: ReadonlyMap<string, string> = new Map(
  pairs("аa сc еe оo рp хx уy іi јj ѕs αa ιi οo ρp"),
);

const SCRIPTS = [
  ["Latin", /^\p{sc=Latn}/v],
  ["Greek", /^\p{sc=Grek}/v],
  ["Cyrillic", /^\p{sc=Cyrl}/v],
  ["Armenian", /^\p{sc=Armn}/v],
  ["Coptic", /^\p{sc=Copt}/v],
  ["Cherokee", /^\p{sc=Cher}/v],
  ["Lisu", /^\p{sc=Lisu}/v],
] as const;
export type LookAlikeScript = (typeof SCRIPTS)[number][0];

/** The script of a letter, of those that have look-alikes; else undefined (digits, marks, all other scripts). */
export function scriptOf(letter: string): LookAlikeScript | undefined {
  return SCRIPTS.find(([, pattern]) => pattern.test(letter))?.[0];
}

function pairs(list: string): [string, string][] {
  return list.split(" ").map((pair) => [pair.charAt(0), pair.slice(1)]);
}
