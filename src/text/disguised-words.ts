import {
  clusters,
  type Edit,
  editsIn,
  enclosing,
  type Finding,
  looksLikeCode,
  type Mark,
  marksIn,
  mean,
  nearSeveral,
  partsAround,
  type Reader,
  wholeIf,
} from "./disguise-findings.ts";
import { functionWordsIn } from "./function-words.ts";
import { composeMaps, IDENTITY_MAP, OffsetMapBuilder, type RewrittenText } from "./offset-map.ts";
import { RESPELLED } from "./respelled-words.ts";
import { firstIndex, type Span, shiftedSpan, spanLength, widenedSpan } from "./span.ts";

/** A part of a text whose words are disguised; `detail` is for people. */
export type DisguisedPlace = Span & { readonly detail: string };

/** A text without the disguises that could be seen through. The places are those of all disguises, in the text as given, by kind. */
type UndisguisedText = RewrittenText & { readonly places: readonly DisguisedPlace[] };

/**
 * Reads words through disguises of whole stretches of text: signs, numbers or a letter in place of blanks, signs inside words, letters as
 * regional indicators, digits in place of letters, numbers on words, doubled letters, words spelled in another way. Each has to be
 * repeated at short distances, because one such word may be a name, a formula or a code.
 * @param text folded, but in its own case
 */
export function undisguiseWords(text: string): UndisguisedText {
  return rewrite(text, READERS);
}

/** Removes tags around words and decodes letters that are written as codes, as in pages, programs and addresses. `text` is not folded yet. */
export function undisguiseMarkup(text: string): UndisguisedText {
  return rewrite(text, [
    { partsOf: nearSeveral(/<\/?[a-z!]|&[#nets]|\[\/[bius]\]|\\[temu]/gi, PAIRS_MIN), find: markup },
    { partsOf: nearSeveral(/%[0-9a-f]{2}|\\[ux][0-9a-f{]/gi, 8), find: escapes },
  ]);
}

function rewrite(given: string, readers: readonly Reader[]): UndisguisedText {
  let text = given;
  let map = IDENTITY_MAP;
  const places: DisguisedPlace[] = [];
  for (const { partsOf, find } of readers) {
    const edits: Edit[] = [];
    for (const part of partsOf(text))
      for (const { place, detail, edits: own } of find(text.slice(part.start, part.end))) {
        for (const edit of own) edits.push({ ...edit, ...shiftedSpan(edit, part.start) });
        const start = map.toOriginalStart(part.start + place.start);
        const end = map.toOriginalEnd(part.start + place.end);
        if (detail !== undefined) places.push({ start, end, detail });
      }
    if (edits.length === 0) continue;
    const edited = applied(
      text,
      edits.toSorted((a, b) => a.start - b.start),
    );
    text = edited.text;
    map = composeMaps(edited.map, map);
  }
  return { text, map, places };
}

function applied(text: string, edits: readonly Edit[]): RewrittenText {
  const map = new OffsetMapBuilder();
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, text: own } of edits) {
    // Two findings may read one word, each in its own way; the first counts.
    if (start < done) continue;
    pieces.push(text.slice(done, start), own);
    map.replace(start, end, own.length);
    done = end;
  }
  pieces.push(text.slice(done));
  return { text: pieces.join(""), map: map.build() };
}

/** Longer words are no words. The bound is for the regular expression's stack. */
const LETTERS_MAX = 64;
const WORD = String.raw`[\p{L}\p{M}\p{Nd}]{1,${LETTERS_MAX}}`;

// Signs in place of blanks: "The·bell·foundry". All signs but these separate words anyway.

/** A blank and a punctuation mark. */
const BESIDE_MAX = 3;
/** Apostrophes have other uses; middle dots between letters have hardly any but Catalan's "l·l". */
const JOINED_WORDS = [
  { gapMax: BESIDE_MAX, pairsMin: 8, signs: /['`]/g, pattern: joinedBy("['`]") },
  { gapMax: 40, pairsMin: 5, signs: /(?<!l)·|·(?!l)/gi, pattern: joinedBy("·") },
];

function joinedBy(sign: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}\\p{Nd}])${WORD}(?:${sign}${WORD}){1,500}`, "gv");
}

/** No word has so many parts; "fo'c's'le" has four. */
const PARTS_SURE = 5;
const PARTS_MIN = 4;
/** Units of measure and formulas have parts of a letter or two: "kg·m·s". */
const PART_LETTERS_MEAN_MIN = 2.5;
/** Of languages that write a glottal stop so, few words have so many parts, and none of four letters. */
const LONG_PART_MIN = 4;

function* signsForBlanks(text: string): Generator<Finding> {
  for (const { gapMax, pairsMin, pattern, signs } of JOINED_WORDS)
    for (const cluster of clusters(marksIn(text, pattern), gapMax)) {
      const parts = cluster.map((mark) => mark.text.split(signs).map(({ length }) => length));
      const long = parts.filter((own) => own.length >= PARTS_MIN && mean(own) >= PART_LETTERS_MEAN_MIN);
      // French and Italian have a few such words in a row, and one part of them is short.
      const pairs = parts.filter(
        (own) => own.length > 1 && Math.min(...own) > 1 && mean(own) > PART_LETTERS_MEAN_MIN,
      );
      const isRow = pairs.length >= pairsMin && pairs.length > parts.length / 2;
      const isLong = long.some((own) => own.length >= PARTS_SURE) || long.length > 1;
      const hasWords = long.flat().filter((length) => length >= LONG_PART_MIN).length >= LONG_PART_MIN;
      if (!(isLong && hasWords) && !isRow) continue;
      const place = enclosing(cluster);
      yield { place, detail: "signs in place of blanks", edits: editsIn(text, place, signs, " ") };
    }
}

// A letter in place of blanks, or none: "Thexbellxfoundry", "Thebellfoundry".

/** Many languages have words of so many letters, but few in a row. */
const LONG_WORD_MIN = 14;
const LONG_WORDS = /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Arab}\p{sc=Hebr}0-9]{14,10000}/gv;
/** The letters of a row, where a letter divides its words, and where nothing does: rows of German compounds have a mean of 40. */
const DIVIDED_LETTERS_MIN = 45;
const UNDIVIDED_LETTERS_MIN = 84;
const UNDIVIDED_MEAN_MIN = 42;
/** As few different letters have sequences of DNA, numerals and sounds. */
const LETTERS_DIFFERENT_MIN = 10;
/** Names in programs, cut at a letter, give a few by chance. */
const DIVIDED_FUNCTION_WORDS_MIN = 5;
const DIVIDED_DIFFERENT_MIN = 4;
const DIVIDED_SHARE_MIN = 0.12;
/** A letter in place of blanks is at least each tenth; more than eight are tried in no row. */
const BLANK_LETTER_SHARE_MIN = 0.1;

const CAPITALS_MAX = 0.06;
/** Keys and checksums have more. */
const DIGITS_MAX = 0.1;

function* wordsWithoutBlanks(text: string): Generator<Finding> {
  const rows = [...clusters(marksIn(text, LONG_WORDS), BESIDE_MAX)].flatMap((cluster) => {
    const words = judgedWords(cluster);
    const letters = words.replaceAll(" ", "").toLowerCase();
    const isLong = letters.length >= DIVIDED_LETTERS_MIN && new Set(letters).size >= LETTERS_DIFFERENT_MIN;
    return isLong
      ? [{ place: enclosing(cluster), mean: mean(cluster.map(spanLength)), letters, ...blankLetter(words) }]
      : [];
  });
  // A letter that divides one row for sure divides shorter ones too.
  const sure = new Set(rows.filter(({ isSure }) => isSure).map(({ blank }) => blank));
  for (const { place, mean: length, letters, blank } of rows) {
    if (blank !== undefined && sure.has(blank)) {
      const edits = editsIn(text, place, new RegExp(blank, "giu"), " ");
      yield { place, detail: "a letter in place of blanks", edits };
    } else if (
      isUndivided(letters, length) &&
      !isName(text.slice(place.start, Math.min(place.end, place.start + JUDGED_LETTERS_MAX)))
    )
      yield { place, detail: "words without blanks between them", edits: [] };
  }
}

/** A sequence of a genome has millions of letters in one row; its first ones tell what it is. */
const JUDGED_LETTERS_MAX = 10_000;

function judgedWords(marks: readonly Mark[]): string {
  const words: string[] = [];
  let length = 0;
  for (const { text } of marks) {
    if (length >= JUDGED_LETTERS_MAX) break;
    words.push(text);
    length += text.length;
  }
  return words.join(" ").slice(0, JUDGED_LETTERS_MAX);
}

function isUndivided(letters: string, meanLength: number): boolean {
  const isLong = letters.length >= UNDIVIDED_LETTERS_MIN && meanLength >= UNDIVIDED_MEAN_MIN;
  const digits = letters.match(/[0-9]/g)?.length ?? 0;
  return isLong && digits <= DIGITS_MAX * letters.length && hasWordsInside(letters);
}

/** Names in programs have a capital at each word. */
function isName(words: string): boolean {
  const capitals = words.match(/\p{Lu}/gu)?.length ?? 0;
  return capitals > CAPITALS_MAX * words.length && capitals < words.length / 2;
}

/** The letter that divides a text into the most function words, if these are enough. */
function blankLetter(words: string): { readonly blank: string | undefined; readonly isSure: boolean } {
  const lower = words.toLowerCase();
  const counts = new Map<string, number>();
  for (const letter of lower) if (letter !== " ") counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const [best] = [...counts]
    .filter(([, count]) => count >= BLANK_LETTER_SHARE_MIN * words.length)
    .map(([letter]) => {
      const parts = lower
        .replaceAll(letter, " ")
        .split(" ")
        .filter((part) => part.length > 0);
      const found = parts.filter((part) => part.length > 1 && functionWordsIn([part]) > 0);
      return { letter, found, share: found.length / parts.length };
    })
    .sort((one, other) => other.share - one.share);
  if (best === undefined || best.share < DIVIDED_SHARE_MIN) return { blank: undefined, isSure: false };
  const isSure =
    best.found.length >= DIVIDED_FUNCTION_WORDS_MIN && new Set(best.found).size >= DIVIDED_DIFFERENT_MIN;
  return { blank: best.letter, isSure };
}

/**
 * Names of chemistry and random letters hold few function words: every sixth letter begins one of three or more in language. Russian and
 * Greek have shorter ones, and in their letters no other words are as long.
 */
const INSIDE_SHARE_MIN = 0.06;
const INSIDE_SHARE_OF_OTHERS_MIN = 0.01;
const OTHER_ALPHABETS = /^[\p{sc=Cyrl}\p{sc=Grek}0-9]*$/v;

function hasWordsInside(letters: string): boolean {
  let inside = 0;
  for (let at = 0; at < letters.length; at++)
    if (functionWordsIn([letters.slice(at, at + 3), letters.slice(at, at + 4)]) > 0) inside++;
  const shareMin = OTHER_ALPHABETS.test(letters) ? INSIDE_SHARE_OF_OTHERS_MIN : INSIDE_SHARE_MIN;
  return inside >= shareMin * letters.length;
}

// A capital in place of blanks: "TheBellFoundry".

/** Words with capitals inside them; the bound is for the regular expression's stack. */
const CAPITALISED = /[A-Za-z0-9\xc0-\u024f\u0370-\u06ff]{20,10000}/g;
const CAPITAL_INSIDE = /(?<=[\p{Ll}\p{Nd}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{Nd})/gv;
/** Names in programs have fewer words, also in a list. */
const CAPITALISED_WORDS_MIN = 6;
const CAPITALISED_WORDS_SURE = 30;
const CAPITALISED_FUNCTION_WORDS_MIN = 0.2;
const CAPITALISED_FUNCTION_WORDS_SURE = 0.3;
/** A list of names repeats its words. */
const CAPITALISED_DIFFERENT_MIN = 0.5;
/** The words of a sentence differ in length; letters of alternating case make words of one or two. */
const CAPITALISED_LENGTH_MEAN_MIN = 3;

function* capitalsForBlanks(text: string): Generator<Finding> {
  const marks = Array.from(marksIn(text, CAPITALISED), (mark) => ({
    ...mark,
    words: mark.text.split(CAPITAL_INSIDE),
  })).filter(({ words }) => words.length >= CAPITALISED_WORDS_MIN);
  for (const cluster of clusters(marks, SIGNED_GAP_MAX)) {
    const words = cluster.flatMap((mark) => mark.words);
    const share = functionWordsIn(words) / words.length;
    const length = mean(words.map((word) => word.length));
    if (share < CAPITALISED_FUNCTION_WORDS_MIN || length < CAPITALISED_LENGTH_MEAN_MIN) continue;
    const place = enclosing(cluster);
    const different = new Set(words.map((word) => word.toLowerCase())).size;
    const isSure =
      words.length >= CAPITALISED_WORDS_SURE &&
      different >= CAPITALISED_DIFFERENT_MIN * words.length &&
      share >= CAPITALISED_FUNCTION_WORDS_SURE &&
      !looksLikeCode(text.slice(place.start, place.end));
    const detail = isSure ? "capitals in place of blanks" : undefined;
    yield { place, detail, edits: editsIn(text, place, CAPITAL_INSIDE, " ") };
  }
}

// Letters as regional indicators, which are flags in pairs: "🇧🇪🇱🇱".

/** Those between two small letters stand in a word, see `signsInsideWords`. */
const INDICATORS = /(?<![\p{Ll}\p{RI}])\p{RI}+|\p{RI}+(?!\p{RI}|\p{Ll})/gv;
const INDICATOR_A = 0x1f1e6;
/** The codes of flags; a row of others spells words. Source: Unicode CLDR, valid regions. */
const FLAGS =
  "AC AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CP CQ CR CU CV CW CX CY CZ DE DG DJ DK DM DO DZ EA EC EE EG EH ER ES ET EU FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU IC ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TA TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM UN US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW";
const FLAG_PAIRS = new RegExp(`^(?:${FLAGS.replaceAll(" ", "|")})*$`);
/** Letters of a few rows that are no flags; one may be a mistake. */
const INDICATORS_MIN = 8;
const INDICATORS_GAP_MAX = 40;

function* indicatorsForLetters(text: string): Generator<Finding> {
  const marks = Array.from(marksIn(text, INDICATORS), (mark) => ({
    ...mark,
    letters: Array.from(mark.text, (one) =>
      String.fromCharCode(65 + (one.codePointAt(0) ?? 0) - INDICATOR_A),
    ),
  }));
  for (const cluster of clusters(marks, INDICATORS_GAP_MAX)) {
    const odd = cluster.filter(({ letters }) => !FLAG_PAIRS.test(letters.join("")));
    if (odd.reduce((sum, { letters }) => sum + letters.length, 0) < INDICATORS_MIN) continue;
    const edits = cluster.flatMap(({ start, letters }) =>
      letters.map((letter, at) => ({ start: start + 2 * at, end: start + 2 * at + 2, text: letter })),
    );
    yield { place: enclosing(cluster), detail: "regional indicators in place of letters", edits };
  }
}

// Signs inside words: "be🙂ll".

const SIGN = String.raw`[[[\p{S}--[\p{Sc}\p{Sm}]]\p{Emoji_Modifier}†‡§¶•\p{RI}]--[\0-\x7f]]`;
const SIGNS = new RegExp(`${SIGN}{1,8}`, "gv");
const WORD_WITH_SIGN = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{Nd}])${WORD}(?:${SIGN}{1,8}${WORD}){1,${LETTERS_MAX}}`,
  "gv",
);
/** Words between arrows ("kitchen→hall") are twice as long as words with signs in them, whose mean is 5 to 8 letters. */
const JOINED_LETTERS_MEAN_MIN = 3;
const JOINED_LETTERS_MEAN_MAX = 10;
const SIGNED_WORDS_MIN = 5;
const SIGNED_GAP_MAX = 40;

function* signsInsideWords(text: string): Generator<Finding> {
  for (const cluster of clusters(marksIn(text, WORD_WITH_SIGN), SIGNED_GAP_MAX)) {
    if (cluster.length < SIGNED_WORDS_MIN) continue;
    const letters = cluster.map((mark) => mark.text.replace(SIGNS, ""));
    const length = mean(letters.map((word) => word.length));
    const isProse =
      letters.filter((word) => /^(?=\P{L}*\p{L})\p{L}?[\p{Ll}\p{Lo}\p{M}\p{Nd}]+$/u.test(word)).length >
      letters.length / 2;
    if (length < JOINED_LETTERS_MEAN_MIN || length > JOINED_LETTERS_MEAN_MAX || !isProse) continue;
    const edits = cluster.flatMap((mark) => editsIn(text, mark, SIGNS, ""));
    yield { place: enclosing(cluster), detail: "signs inside words", edits };
  }
}

// Digits in place of letters: "b3ll f0undry".

/** A digit stands for the letter that looks like it; which of two, 1 shows by the other letters. */
const LEET: ReadonlyMap<string, string> = new Map(
  Object.entries({
    0: "o",
    1: "i",
    2: "z",
    3: "e",
    4: "a",
    5: "s",
    6: "g",
    7: "t",
    8: "b",
    9: "g",
    "@": "a",
    $: "s",
  }),
);
const LEET_WORDS =
  /(?<![\p{L}\p{M}\p{Nd}@$\\])(?![@$]\p{L})[\p{L}0-9@$]{1,40}(?![\p{L}\p{M}\p{Nd}@$]|\.\p{L})/gv;
/** Digits at both ends of letters, or letters at both ends of digits: no word with a number on it, no unit. */
const LEET_SURE = /\p{L}[0-9@$]+\p{L}|^[0-9@$]+\p{L}+[0-9@$]+$/v;
/** Hexadecimal numbers. */
const NO_LEET = /^(?=.*\d.*\d)[0-9a-f]{6,}$|^0x/i;
const LEET_GAP_MAX = 60;
const LEET_WORDS_MIN = 5;
const LEET_FUNCTION_WORDS_MIN = 0.12;
const DIGITS_IN_WORD = /(?<=\p{L})[0-9]+(?=\p{L})/gv;

function* digitsForLetters(text: string): Generator<Finding> {
  const words = Array.from(marksIn(text, LEET_WORDS));
  const sure = words.filter(
    (word) => LEET_SURE.test(word.text) && isLowerCase(word.text) && !NO_LEET.test(word.text),
  );
  for (const core of clusters(sure, LEET_GAP_MAX)) {
    if (new Set(core.map((mark) => mark.text)).size < LEET_WORDS_MIN) continue;
    const reach = widenedSpan(enclosing(core), LEET_GAP_MAX / 2, { start: 0, end: text.length });
    const near = overlappingMarks(reach, words);
    const one = near.some((mark) => /i/i.test(mark.text) && /\d/.test(mark.text)) ? "l" : "i";
    if (looksLikeCode(text.slice(reach.start, reach.end))) continue;
    const leet = near.map((mark) => ({ ...mark, read: readLeet(mark.text, one) }));
    const bare = near.map((mark) => ({ ...mark, read: mark.text.replace(DIGITS_IN_WORD, "") }));
    const wordsOf = (all: readonly { readonly read: string }[]) =>
      functionWordsIn(all.map((mark) => mark.read));
    const isLeet =
      wordsOf(leet) > wordsOf(bare) || (wordsOf(leet) === wordsOf(bare) && /[a-z]/i.test(core[0].text));
    const read = isLeet ? leet : bare;
    // The words between codes are as in any text: only those that change can show a disguise. One of them may do so by chance ("i18n").
    const [first, ...others] = read.filter((mark, at) => mark.read !== near[at]?.text);
    if (first === undefined) continue;
    const changed = [first, ...others];
    if (wordsOf(changed) < Math.max(2, LEET_FUNCTION_WORDS_MIN * changed.length)) continue;
    const edits = changed.map(({ start, end, read: reading }) => ({ start, end, text: reading }));
    yield {
      place: enclosing([first, ...others]),
      detail: isLeet ? "digits in place of letters" : "digits inside words",
      edits,
    };
  }
}

function overlappingMarks(span: Span, marks: readonly Mark[]): readonly Mark[] {
  const first = firstIndex(marks.length, (at) => (marks[at]?.end ?? 0) > span.start);
  return marks.slice(
    first,
    firstIndex(marks.length, (at) => (marks[at]?.start ?? 0) >= span.end),
  );
}

function isLowerCase(word: string): boolean {
  return (word.match(/\p{Ll}/gu)?.length ?? 0) >= (word.match(/\p{Lu}/gu)?.length ?? 0);
}

/** The word that leet spells. Digits alone are a number unless they spell a function word; letters are left as they are. */
function readLeet(word: string, one: string): string {
  const reading = Array.from(word, (letter) => (letter === "1" ? one : (LEET.get(letter) ?? letter))).join(
    "",
  );
  return !/\p{L}/u.test(word) && functionWordsIn([reading]) === 0 ? word : reading;
}

// Numbers on words: "The1 bell2 foundry3".

const NUMBERED =
  /(?<![\p{L}\p{M}\p{Nd}_.,%\-\/])(?:\p{Nd}{1,4}\p{L}\p{Ll}{1,40}|\p{L}\p{Ll}{1,40}\p{Nd}{1,4})(?![\p{L}\p{M}\p{Nd}_])/gv;
/** A number behind the punctuation of a word. */
const NUMBER_AFTER_SIGN = /(?<=[\p{L}\p{Nd}][.,;:!?"'\)]{1,2})\p{Nd}{1,4}(?![\p{L}\p{Nd}]|[.,]\p{Nd})/gv;
const NUMBER = /\p{Nd}+/gv;
const NUMBERED_GAP_MAX = 30;
const NUMBERED_MIN = 6;
/** Words of one letter, which are many in Russian, bear no numbers here. */
const NUMBERED_FUNCTION_WORDS_MIN = 0.1;
/** Identifiers such as "item1 item2" have few different words. */
const NUMBERED_DIFFERENT_MIN = 0.7;

function* numbersOnWords(text: string): Generator<Finding> {
  const marks = Array.from(marksIn(text, NUMBERED), (mark) => ({
    ...mark,
    number: Number(mark.text.replace(/\P{Nd}/gu, "")),
    word: mark.text.replace(/\p{Nd}/gu, ""),
  }));
  for (const cluster of clusters(marks, NUMBERED_GAP_MAX)) {
    const words = cluster.map(({ word }) => word);
    if (cluster.length < NUMBERED_MIN) continue;
    if (new Set(words).size < NUMBERED_DIFFERENT_MIN * words.length) continue;
    if (functionWordsIn(words) < NUMBERED_FUNCTION_WORDS_MIN * words.length) continue;
    const place = enclosing(cluster);
    const from = cluster[0].number;
    const rising = cluster.filter(({ number }, at) => at > 0 && number > (cluster[at - 1]?.number ?? from));
    const isRising = rising.length >= NUMBERED_DIFFERENT_MIN * (cluster.length - 1);
    const reach = { start: place.start, end: place.end + NUMBERED_GAP_MAX };
    const behind = isRising ? editsIn(text, reach, NUMBER_AFTER_SIGN, "") : [];
    const edits = [...cluster.flatMap((mark) => editsIn(text, mark, NUMBER, "")), ...behind];
    // Rising numbers are the marks of notes, which extraction may put beside each word.
    const detail = isRising ? undefined : "numbers on words";
    yield { place, detail, edits };
  }
}

// Numbers in brackets on words: "The[1] bell[2]".

const NOTED = /(?<=\p{L}\p{M}{0,4}[.,;:!?]?)[\[\(]\p{Nd}{1,4}[\]\)](?![^\s.,;:!?'"])/gv;
const NOTES_MIN = 8;
const NOTES_GAP_MAX = 24;

function* notesOnWords(text: string): Generator<Finding> {
  for (const cluster of clusters(marksIn(text, NOTED), NOTES_GAP_MAX)) {
    const place = enclosing(cluster);
    if (cluster.length < NOTES_MIN || !areWords(text.slice(place.start, place.end).match(WORDS) ?? []))
      continue;
    // Lists of methods, each with its reference, and glosses have as many, so they are read and not flagged.
    const edits = cluster.map(({ start, end }) => ({ start, end, text: "" }));
    yield { place, detail: undefined, edits };
  }
}

// Numbers in place of blanks: "The0bell1foundry2at".

const NUMBERS_FOR_BLANKS =
  /(?<![\p{L}\p{M}\p{Nd}])\p{Nd}{0,3}[\p{L}\p{M}]{1,40}(?:\p{Nd}{1,3}[\p{L}\p{M}]{1,40}){5,500}/gv;

/** The rest of a row that is longer than what the expression above takes at once. */
const NUMBER_AND_WORD = /\p{Nd}{1,3}[\p{L}\p{M}]{1,40}/vy;
/** Random keys have shorter parts. */
const NUMBERED_LETTERS_MEAN_MIN = 3.5;

function* numbersForBlanks(text: string): Generator<Finding> {
  const rows = Array.from(marksIn(text, NUMBERS_FOR_BLANKS), ({ start, end }) => {
    NUMBER_AND_WORD.lastIndex = end;
    let furthest = end;
    while (NUMBER_AND_WORD.test(text)) furthest = NUMBER_AND_WORD.lastIndex;
    return { start, end: furthest, text: text.slice(start, furthest) };
  });
  for (const cluster of clusters(rows, SIGNED_GAP_MAX)) {
    const words = cluster.flatMap((mark) => mark.text.split(NUMBER).filter(Boolean));
    if (mean(words.map((word) => word.length)) < NUMBERED_LETTERS_MEAN_MIN || !areWords(words)) continue;
    const place = enclosing(cluster);
    const edits = cluster.flatMap((mark) => editsIn(text, mark, NUMBER, " "));
    yield { place, detail: "numbers in place of blanks", edits };
  }
}

/** The first words of a row tell what it is. Lists and tables repeat theirs; the longer a text is, the more it does. */
const ROW_JUDGED = 100;
const DIFFERENT_MIN = 0.5;

function areWords(words: readonly string[]): boolean {
  // Keys and formulas have parts of two letters that are words by chance. Russian has many function words of one letter.
  const long = words.slice(0, ROW_JUDGED).filter((word) => word.length > 2 || /\p{sc=Cyrl}/u.test(word));
  return (
    functionWordsIn(long) >= Math.max(2, NUMBERED_FUNCTION_WORDS_MIN * long.length) &&
    new Set(long).size >= DIFFERENT_MIN * long.length
  );
}

// Doubled letters: "TThhee bbeellll".

/** Words of letters that stand twice, or three times, each. */
const REPEATED = [2, 3].map((times) => ({
  times,
  pattern: new RegExp(
    `(?<![\\p{L}\\p{M}\\p{Nd}])(?:([\\p{L}\\p{Nd}])${"\\1".repeat(times - 1)}){1,40}(?![\\p{L}\\p{M}\\p{Nd}])`,
    "giv",
  ),
}));
/** Keys and numbers, and the codes of colours. */
const NO_DOUBLED_WORD = /\p{Nd}|^(.)\1*$/iu;
const DOUBLED_GAP_MAX = 8;
const DOUBLED_LETTERS_MIN = 16;
/** Pairs of a capital and a small letter list an alphabet. */
const DOUBLED_LENGTH_MEAN_MIN = 4;

function* doubledLetters(text: string): Generator<Finding> {
  const found: Mark[] = [];
  for (const { times, pattern } of REPEATED)
    for (const cluster of clusters(marksIn(text, pattern), DOUBLED_GAP_MAX)) {
      // Letters that stand four times are doubled ones already.
      if (overlappingMarks(enclosing(cluster), found).length > 0) continue;
      const judged = cluster.filter((mark) => !NO_DOUBLED_WORD.test(mark.text));
      const letters = judged.map((mark) => mark.text.toLowerCase()).join("");
      if (letters.length < DOUBLED_LETTERS_MIN || new Set(letters).size < LETTERS_DIFFERENT_MIN / 2) continue;
      if (mean(judged.map(spanLength)) < DOUBLED_LENGTH_MEAN_MIN) continue;
      const edits = cluster.flatMap(({ start, text: word }) =>
        Array.from({ length: word.length / times }, (_, at) => ({
          ...{ start: start + times * at + 1, end: start + times * (at + 1) },
          text: "",
        })),
      );
      if (times === 2) found.push({ ...enclosing(cluster), text: "" });
      yield {
        place: enclosing(cluster),
        detail: `each letter ${times === 2 ? "doubled" : "three times"}`,
        edits,
      };
    }
}

/** Letters of the scripts in which words are divided by blanks, roughly. */
const ROUGH = "a-z\\xc0-\\u024f\\u0370-\\u06ff";
const SEPARATED = `[${ROUGH}0-9]{1,40}`;
const CAPITAL = "[A-Z\\xc0-\\xde\\u0391-\\u03a9\\u0410-\\u042f]";
/** Capitals inside a word with three more behind them: six words have one or two such. */
const CAPITALISED_GATE_MIN = 1;
/** Words with digits at both ends give no sign. */
const LEET_GATE_MIN = 1;
/** Two of six numbered words may look like ordinal numbers. */
const NUMBERED_GATE_MIN = 4;
/** Ordinal numbers and units: "19th", "1990s", "5km". */
const AFTER_NUMBER = `(?:st|nd|rd|th|s|[ap]m|[kcm]?m|k?g)(?![${ROUGH}])`;

const READERS: readonly Reader[] = [
  { partsOf: nearSeveral(/\ud83c[\udde6-\uddff]/g, INDICATORS_MIN), find: indicatorsForLetters },
  {
    partsOf: nearSeveral(
      new RegExp(`(?:[\\ud83c-\\ud83e][\\udc00-\\udfff]|[\\u2020-\\u2022\\u2190-\\u2bff])[${ROUGH}]`, "gi"),
      SIGNED_WORDS_MIN,
    ),
    find: signsInsideWords,
  },
  {
    partsOf: nearSeveral(
      new RegExp(
        `·[${ROUGH}0-9]|['\`]${SEPARATED}(?:['\`]|[^${ROUGH}0-9'\`]{1,3}${SEPARATED}['\`])[${ROUGH}0-9]`,
        "gi",
      ),
      2,
    ),
    find: signsForBlanks,
  },
  {
    partsOf: nearSeveral(
      new RegExp(`[0-9](?<=[${ROUGH}].)[0-9]{0,2}[${ROUGH}]{1,40}[0-9]{1,3}[${ROUGH}]`, "gi"),
      2,
    ),
    find: numbersForBlanks,
  },
  {
    partsOf: nearSeveral(new RegExp(`[\\[(][0-9](?<=[${ROUGH}.,;:!?]..)`, "gi"), NOTES_MIN),
    find: notesOnWords,
  },
  {
    partsOf: nearSeveral(
      new RegExp(`[0-9@$](?=[0-9@$]{0,3}[${ROUGH}])(?<=[${ROUGH}][0-9@$])`, "gi"),
      LEET_GATE_MIN,
    ),
    find: digitsForLetters,
  },
  {
    partsOf: nearSeveral(
      new RegExp(`[0-9](?:(?=[${ROUGH}])(?!${AFTER_NUMBER})|(?<=[${ROUGH}]{2}[0-9]))`, "gi"),
      NUMBERED_GATE_MIN,
    ),
    find: numbersOnWords,
  },
  { partsOf: (text) => partsAround(text, doubledPairs(text), 2), find: doubledLetters },
  {
    partsOf: nearSeveral(
      new RegExp(`${CAPITAL}(?<=[${ROUGH}].)(?=(?:[a-z\\xdf-\\u0587]{0,24}${CAPITAL}){3})`, "g"),
      CAPITALISED_GATE_MIN,
    ),
    find: capitalsForBlanks,
  },
  { partsOf: wholeIf(hasLongRow), find: wordsWithoutBlanks },
  RESPELLED,
];

/** Where two doubled letters end. A loop takes a twentieth of the time of a regular expression here. */
function* doubledPairs(text: string): Generator<number> {
  for (let at = 0; at + 3 < text.length; at++) {
    if (
      text.charCodeAt(at) !== text.charCodeAt(at + 1) ||
      text.charCodeAt(at + 2) !== text.charCodeAt(at + 3)
    )
      continue;
    if (text.charCodeAt(at) <= LAST_SIGN || text.charCodeAt(at + 2) <= LAST_SIGN) continue;
    yield at + 4;
    at += 3;
  }
}

/** ASCII digits and signs before the letters. */
const LAST_SIGN = 0x40;

function hasLongRow(text: string): boolean {
  let row = 0;
  let word = 0;
  let beside = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (
      (unit > 0x2f && unit < 0x3a) ||
      (unit > LAST_SIGN && unit < 0x5b) ||
      (unit > 0x60 && unit < 0x7b) ||
      unit > 0xbf
    ) {
      word++;
      row++;
      if (row >= DIVIDED_LETTERS_MIN && word >= LONG_WORD_MIN) return true;
      beside = 0;
    } else {
      if (word > 0 && word < LONG_WORD_MIN) row = 0;
      word = 0;
      if (++beside > BESIDE_MAX) row = 0;
    }
  }
  return false;
}

// Words of no language: random or shifted letters.

const CONSONANTS = "bcdfghjklmnpqrstvxzбвгджзйклмнпрстфхцчшщβγδζθκλμνξπρστφχψ";
const [NO_LETTER, CONSONANT, OTHER_LETTER] = [0, 1, 2];
/** By UTF-16 unit; letters behind it belong to other scripts. */
const LETTER_KINDS = Uint8Array.from({ length: 0x500 }, (_, unit) => {
  const letter = String.fromCharCode(unit).toLowerCase();
  return CONSONANTS.includes(letter) ? CONSONANT : /\p{L}/u.test(letter) ? OTHER_LETTER : NO_LETTER;
});

/** Words that nobody can pronounce: of three or more consonants alone, or with five in a row. Acronyms are left out. */
function* unspokenWords(text: string): Generator<Mark> {
  let start = 0;
  let run = 0;
  let longest = 0;
  for (let at = 0; at <= text.length; at++) {
    const kind = LETTER_KINDS[text.charCodeAt(at)] ?? NO_LETTER;
    if (kind === CONSONANT) longest = Math.max(longest, ++run);
    else if (kind === OTHER_LETTER) run = 0;
    else {
      const isUnspoken = longest >= 5 || (longest >= 3 && longest === at - start);
      const word = isUnspoken ? text.slice(start, at) : "";
      if (isUnspoken && word !== word.toUpperCase()) yield { start, end: at, text: word };
      start = at + 1;
      run = 0;
      longest = 0;
    }
  }
}

/** Any language has fewer, whether the detector knows it or not. Random letters have about half. */
const UNSPOKEN_MIN = 0.15;
const UNSPOKEN_COUNT_MIN = 6;
const UNSPOKEN_GAP_MAX = 80;

const WORDS = /[\p{L}\p{M}]+/gv;
const WORDS_MIN = 20;
/** Text of the known languages has more function words. */
const GARBLED_FUNCTION_WORDS_MAX = 0.05;
/** Signs of code, formulas, tables and lists of numbers. */
const NO_PROSE = /[^\p{L}\p{M}\s.,;:!?'"\(\)\-]|(?<=\p{L})[.:\(](?=\p{L})/gv;
const NO_PROSE_MAX = 0.02;

/**
 * The stretches of at least 20 words that are no language, as far as a detector can tell from its letters.
 * @param text without disguises @param isNoLanguage is asked only about stretches that nobody could pronounce
 */
export function* wordsOfNoLanguage(
  text: string,
  isNoLanguage: (stretch: string) => boolean,
): Generator<DisguisedPlace> {
  for (const cluster of clusters(unspokenWords(text), UNSPOKEN_GAP_MAX)) {
    const place = enclosing(cluster);
    const stretch = text.slice(place.start, place.end);
    const words = stretch.match(WORDS) ?? [];
    if (cluster.length < UNSPOKEN_COUNT_MIN || words.length < WORDS_MIN) continue;
    if (cluster.length < UNSPOKEN_MIN * words.length) continue;
    if ((stretch.match(NO_PROSE)?.length ?? 0) > NO_PROSE_MAX * stretch.length) continue;
    if (functionWordsIn(words) > GARBLED_FUNCTION_WORDS_MAX * words.length || !isNoLanguage(stretch))
      continue;
    yield { ...place, detail: "words of no language" };
  }
}

// Markup: "<b>The</b> <b>bell</b>", "&#84;&#104;&#101;".

/** Tags of formatting within a line and comments, which a page shows as nothing; and the beginning of any other tag. */
const TAG =
  /<\/?(?:b|big|em|font|i|mark|s|small|span|strong|tt|u|wbr)(?:\s{1,3}[-\w]{1,30}=(?:"[^"<>]{0,200}"|'[^'<>]{0,200}'|[^\s<>]{1,100})){0,5}\/?>|<!--[^<>]{0,200}-->|<\/?[a-z]/gis;
const TAG_BEGINNING = /^<\/?[a-z]$/i;
/** A text about markup has some tags, but not one at each word or two. */
const MARKUP_MIN = 8;
const PAIRS_MIN = MARKUP_MIN / 2;
const TAGS_GAP_MAX = 20;
/** Tags of forums and commands of LaTeX around words: "[b]The[/b] [b]bell[/b]", "\\emph{The}". "[i]" alone is a sound or an index. */
const SHORT_MARKUP =
  /\[([bius])\][^[\]]{1,200}\[\/\1\]|\\(?:text(?:bf|it|md|rm|sc|sf|sl|tt|up)|emph|mbox|underline)\{[^{}]{1,200}\}/gi;
const NAMED_BLANK = /&(?:nbsp|ensp|emsp|thinsp);/gi;
const BLANKS_GAP_MAX = 40;
const LETTER_REFERENCE = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi;
const REFERENCES_MIN = 8;
const REFERENCES_GAP_MAX = 12;

function* markup(text: string): Generator<Finding> {
  for (const cluster of clusters(marksIn(text, TAG), TAGS_GAP_MAX)) {
    // Other tags make it the source of a page.
    if (cluster.length < MARKUP_MIN || cluster.some((mark) => TAG_BEGINNING.test(mark.text))) continue;
    const edits = cluster.map(({ start, end }) => ({ start, end, text: "" }));
    // Programs colour words by tags with attributes.
    const detail = cluster.some((mark) => mark.text.includes("=")) ? undefined : "tags around words";
    yield { place: enclosing(cluster), detail, edits };
  }
  for (const cluster of clusters(marksIn(text, SHORT_MARKUP), TAGS_GAP_MAX)) {
    if (cluster.length < PAIRS_MIN) continue;
    const edits = cluster.flatMap(({ start, end, text: own }) => {
      const before = own.startsWith("\\") ? own.indexOf("{") + 1 : "[b]".length;
      const behind = own.startsWith("\\") ? "}".length : "[/b]".length;
      return [
        { start, end: start + before, text: "" },
        { start: end - behind, end, text: "" },
      ];
    });
    // Tables and glosses have as many, so they are read and not flagged.
    yield { place: enclosing(cluster), detail: undefined, edits };
  }
  // A program that turned a page into text may have left them, so they are read and not flagged.
  for (const cluster of clusters(marksIn(text, NAMED_BLANK), BLANKS_GAP_MAX)) {
    if (cluster.length < MARKUP_MIN) continue;
    const place = enclosing(cluster);
    yield { place, detail: undefined, edits: editsIn(text, place, NAMED_BLANK, " ") };
  }
  const references = Array.from(text.matchAll(LETTER_REFERENCE), ({ 0: own, 1: hex, 2: decimal, index }) => ({
    ...{ start: index, end: index + own.length },
    text: characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  })).filter((mark) => /[\p{L}\p{M}\p{Nd}\p{P}\p{Zs}]/u.test(mark.text));
  for (const cluster of clusters(references, REFERENCES_GAP_MAX)) {
    if (cluster.length < REFERENCES_MIN) continue;
    yield { place: enclosing(cluster), detail: "letters written as character references", edits: cluster };
  }
}

function characterOf(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : "";
}

// Codes of programs and addresses: "The%20bell%20foundry", "\\u0054\\u0068\\u0065".

/** A character each: the bytes of its UTF-8 or its number. */
const ESCAPES =
  /%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}|\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi;
const ESCAPES_MIN = 8;
const ESCAPES_GAP_MAX = 40;
/** Strings of programs, and tables of codes, spell few sentences. */
const ESCAPED_WORDS_MIN = 8;
const ESCAPED_FUNCTION_WORDS_MIN = 0.1;
/** Some eight words of scripts that put no blanks between them. */
const ESCAPED_SIGNS_MIN = 16;
const WITHOUT_BLANKS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
/** The units before the first code in which an address that it belongs to begins. */
const ADDRESS_MAX = 600;

function* escapes(text: string): Generator<Finding> {
  const marks = Array.from(text.matchAll(ESCAPES), ({ 0: own, 1: braced, 2: four, 3: two, index }) => {
    const code = braced ?? four ?? two;
    const read = code === undefined ? unescaped(own) : characterOf(Number.parseInt(code, 16));
    return { start: index, end: index + own.length, text: read ?? "" };
  }).filter(({ text: read }) => /[\p{L}\p{Nd}\p{P}\p{Zs}]/u.test(read));
  for (const cluster of clusters(marks, ESCAPES_GAP_MAX)) {
    if (cluster.length < ESCAPES_MIN) continue;
    const place = enclosing(cluster);
    const edits = cluster.map((edit) => ({ ...edit, ...shiftedSpan(edit, -place.start) }));
    const read = applied(text.slice(place.start, place.end), edits).text;
    if (!spellsSentences(read)) continue;
    const before = text.slice(Math.max(0, place.start - ADDRESS_MAX), place.start);
    // An address may hold a title.
    const isAddress = /[/=]|www\./i.test(before.split(/[\s<>"]/).at(-1) ?? "");
    yield { place, detail: isAddress ? undefined : "letters or blanks written as codes", edits: cluster };
  }
}

function spellsSentences(read: string): boolean {
  const signs = read.match(WITHOUT_BLANKS)?.length ?? 0;
  if (signs >= ESCAPED_SIGNS_MIN) return true;
  const words = (read.match(WORDS) ?? []).filter((word) => word.length > 1);
  return (
    words.length >= ESCAPED_WORDS_MIN && functionWordsIn(words) >= ESCAPED_FUNCTION_WORDS_MIN * words.length
  );
}

/** The characters of a percent-encoded text; undefined for bytes that are no UTF-8. */
function unescaped(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
