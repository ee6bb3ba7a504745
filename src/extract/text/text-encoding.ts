import { analyse } from "chardet";
import { functionWordsIn } from "../../text/function-words.ts";

/** The bytes that are looked at, from shortly before the first that is no ASCII. */
const SAMPLE_BYTES = 8_192;
const BEFORE_BYTES = 256;

/** Fewer letters beyond ASCII say nothing: a Western text with some accents. */
const HIGH_LETTERS_MIN = 8;
/** Polish and Czech have up to 15 accented letters in a hundred; other scripts have more than half beyond ASCII. */
const OTHER_SCRIPT_MIN = 0.25;

const WESTERN = "windows-1252";

/** The encodings of Latin letters that the detector tells apart, with the labels that read them. */
const LATIN: ReadonlyMap<string, string> = new Map([
  ["ISO-8859-1", WESTERN],
  ["windows-1252", WESTERN],
  ["ISO-8859-2", "iso-8859-2"],
  ["windows-1250", "windows-1250"],
  ["ISO-8859-9", "windows-1254"],
  ["windows-1254", "windows-1254"],
  ["windows-1257", "windows-1257"],
]);

/** Encodings of alphabets, which share their bytes: only one makes words of them. */
const ALPHABETS =
  "windows-1251 koi8-u ibm866 x-mac-cyrillic iso-8859-5 windows-1253 windows-1255 windows-1256 iso-8859-6".split(
    " ",
  );
const FUNCTION_WORDS_MIN = 0.05;

/** Encodings of several bytes for a letter, which the detector knows by their structure. */
const EAST_ASIAN: ReadonlyMap<string, string> = new Map([
  ["Shift_JIS", "shift_jis"],
  ["EUC-JP", "euc-jp"],
  ["GB18030", "gb18030"],
  ["Big5", "big5"],
  ["EUC-KR", "euc-kr"],
  ["ISO-2022-JP", "iso-2022-jp"],
]);
const EAST_ASIAN_CONFIDENCE_MIN = 60;

/** What the detector says of alphabets, where a short text has no function word. */
const DETECTED_ALPHABETS: ReadonlyMap<string, string> = new Map([
  ["windows-1251", "windows-1251"],
  ["KOI8-R", "koi8-u"],
  ["ISO-8859-5", "iso-8859-5"],
  ["windows-1253", "windows-1253"],
  ["ISO-8859-7", "windows-1253"],
  ["windows-1255", "windows-1255"],
  ["ISO-8859-8", "windows-1255"],
  ["windows-1256", "windows-1256"],
  ["ISO-8859-6", "iso-8859-6"],
]);
const ALPHABET_CONFIDENCE_MIN = 30;

/** Thai that a wrong encoding cannot give: vowels and tones over or under a consonant, and nowhere else. */
const THAI_LETTERS = /[\u0e00-\u0e7f]/g;
const THAI_SHARE_MIN = 0.75;
const STRAY_THAI_MARK =
  /(?<![\u0e01-\u0e2e][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]{0,2})[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/;

/**
 * The encoding (a label of the Encoding standard) of a text that is neither UTF-8 nor has a byte-order mark: by function words for alphabets,
 * otherwise as the detector says. Undefined when it can't be told.
 */
export function legacyEncoding(bytes: Uint8Array): string | undefined {
  const first = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - BEFORE_BYTES);
  const sample = bytes.subarray(first, first + SAMPLE_BYTES);
  const high = sample.filter((byte) => byte > 0x9f).length;
  if (high < HIGH_LETTERS_MIN) return WESTERN;
  const ascii = sample.filter((byte) => (byte > 0x40 && byte < 0x5b) || (byte > 0x60 && byte < 0x7b)).length;
  const found = analyse(sample);
  if (high < OTHER_SCRIPT_MIN * (high + ascii)) return latinOf(found, sample);
  return (
    thaiOf(sample) ??
    detected(found, EAST_ASIAN, EAST_ASIAN_CONFIDENCE_MIN) ??
    alphabetOf(sample) ??
    (wordShare(sample, WESTERN) >= FUNCTION_WORDS_MIN ? WESTERN : undefined) ??
    detected(found, DETECTED_ALPHABETS, ALPHABET_CONFIDENCE_MIN)
  );
}

function latinOf(found: ReturnType<typeof analyse>, sample: Uint8Array): string {
  const labels = found.flatMap(({ name, confidence }) => {
    const label = LATIN.get(name);
    return label === undefined ? [] : [{ label, confidence }];
  });
  // Of two that are equally likely, the rarer one has a reason to be seen at all.
  const best = labels.filter(({ confidence }) => confidence === labels[0]?.confidence);
  const label = (best.find((one) => one.label !== WESTERN) ?? best[0])?.label ?? WESTERN;
  return label === "iso-8859-2" && isOfWindows(sample) ? "windows-1250" : label;
}

/** Whether Central European text has letters and quotation marks where the ISO encoding has controls, or is Polish with ą as in Windows. */
function isOfWindows(sample: Uint8Array): boolean {
  const count = (byte: number) => sample.filter((one) => one === byte).length;
  const isPolish = count(0xb3) > 0 && count(0xea) > 0;
  return sample.some((byte) => byte > 0x7f && byte < 0xa0) || (isPolish && count(0xb9) > count(0xb1));
}

function alphabetOf(sample: Uint8Array): string | undefined {
  const [best] = ALPHABETS.map((label) => ({ label, share: wordShare(sample, label) })).sort(
    (a, b) => b.share - a.share,
  );
  return best !== undefined && best.share >= FUNCTION_WORDS_MIN ? best.label : undefined;
}

function thaiOf(sample: Uint8Array): string | undefined {
  const text = decoded(sample, "windows-874");
  const letters = text.match(THAI_LETTERS)?.length ?? 0;
  return letters > THAI_SHARE_MIN * text.length && !/\ufffd/.test(text) && !STRAY_THAI_MARK.test(text)
    ? "windows-874"
    : undefined;
}

function detected(
  found: ReturnType<typeof analyse>,
  labels: ReadonlyMap<string, string>,
  confidenceMin: number,
): string | undefined {
  const sure = found.filter(({ confidence }) => confidence >= confidenceMin);
  return sure.map(({ name }) => labels.get(name)).find((label) => label !== undefined);
}

/** Function words of one letter are met by chance. A sign that ends or divides a word may be a letter in another encoding. */
function wordShare(sample: Uint8Array, label: string): number {
  const text = decoded(sample, label).normalize("NFD").replace(/\p{M}/gu, "");
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  const signs = text.match(/\p{L}[[\p{S}\p{Cc}]--\s]/gv) ?? [];
  return functionWordsIn(words) / Math.max(1, words.length + signs.length);
}

function decoded(bytes: Uint8Array, label: string): string {
  return new TextDecoder(label).decode(bytes);
}
