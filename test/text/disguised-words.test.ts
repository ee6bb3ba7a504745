import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { integrityFlags } from "../../src/text/integrity.ts";
import { tokenise } from "../../src/text/tokenise.ts";
import { cpuTimeMs } from "../support/cpu-time.ts";

const PLAIN = [
  "The harbour clock had stopped during the storm of 1911, and nobody on the council could agree who should pay for it.",
  "Merchants said that the town owned the tower, while the clerks produced a letter which seemed to prove that the",
  "fishermen had built it. For nineteen years the hands pointed to a quarter past four.",
].join(" ");

/** Own text of the same writer, which stays as it is. */
const BEFORE = "My aunt kept bees behind the railway station, in seven hives that she had painted white.\n\n";
const AFTER = "\n\nWhen she sold the last jar, she cleaned the shelf with vinegar and locked the door.";

function words(text: string): string[] {
  return [...tokenise(text, "en").words];
}

function garbled(text: string): string[] {
  return integrityFlags(text)
    .filter(({ kind }) => kind === "garbled_text")
    .map(({ start, end }) => text.slice(start, end));
}

function eachWord(text: string, change: (word: string, index: number) => string): string {
  let index = 0;
  return text.replace(/[\p{L}\p{Nd}]+/gu, (word) => change(word, index++));
}

function cut(word: string, sign: string): string {
  return word.length < 4 ? word : `${word.slice(0, 2)}${sign}${word.slice(2)}`;
}

const LEET = new Map(Object.entries({ a: "4", e: "3", i: "1", o: "0", s: "5", t: "7" }));

function leet(text: string, letters: string): string {
  return text.replace(new RegExp(`[${letters}]`, "g"), (letter) => LEET.get(letter) ?? letter);
}

const INDICATOR_A = 0x1f1e6;

function indicators(text: string): string {
  return text
    .toUpperCase()
    .replace(/[A-Z]/g, (letter) => String.fromCodePoint(INDICATOR_A + letter.charCodeAt(0) - 65));
}

/** Disguises that are seen through, each of the whole passage. */
const SEEN_THROUGH: Readonly<Record<string, (text: string) => string>> = {
  "middle dots for blanks": (text) => text.replaceAll(" ", "·"),
  "apostrophes for blanks": (text) => text.replaceAll(" ", "'"),
  "typographic apostrophes for blanks": (text) => text.replaceAll(" ", "’"),
  "backticks for blanks": (text) => text.replaceAll(" ", "`"),
  "middle dots for every second blank": (text) => {
    let blank = 0;
    return text.replace(/ /g, () => (blank++ % 2 === 0 ? "·" : " "));
  },
  "bars for blanks": (text) => text.replaceAll(" ", "|"),
  "a rare letter for blanks": (text) => text.replace(/[ ,.]+/g, "q"),
  "emoji inside words": (text) => eachWord(text, (word) => cut(word, "🙂")),
  "emoji with skin tones inside words": (text) => eachWord(text, (word) => cut(word, "👍🏽")),
  "stars inside words": (text) => eachWord(text, (word) => cut(word, "★")),
  "regional indicators for letters": indicators,
  "numbers behind words": (text) =>
    eachWord(text, (word, at) => (/\d/.test(word) ? word : `${word}${at + 1}`)),
  "random numbers behind words": (text) =>
    eachWord(text, (word, at) => (/\d/.test(word) ? word : `${word}${(at * 37) % 90}`)),
  "numbers before words": (text) =>
    eachWord(text, (word, at) => (/\d/.test(word) ? word : `${at + 1}${word}`)),
  "leet of all letters": (text) => leet(text.replaceAll("1911", "that year"), "aeiost"),
  "leet of some letters": (text) => leet(text.replaceAll("1911", "that year"), "aeo"),
  "capitals for blanks": (text) =>
    text.replace(/ (\p{L})/gu, (_, letter: string) => letter.toUpperCase()).replaceAll(" ", ""),
  "percent signs for blanks": (text) => text.replaceAll(" ", "%20"),
  "percent-encoded letters": (text) =>
    text.replace(/[^\s.,]/gu, (one) => `%${one.codePointAt(0)?.toString(16).toUpperCase()}`),
  "percent-encoded letters and blanks": (text) =>
    text.replace(/[\s\S]/gu, (one) => `%${one.codePointAt(0)?.toString(16)}`),
  "escapes of programs": (text) =>
    text.replace(/\p{L}/gu, (one) => `\\u${one.codePointAt(0)?.toString(16).padStart(4, "0")}`),
  "short escapes of programs": (text) =>
    text.replace(/[^\s]/gu, (one) => `\\x${one.codePointAt(0)?.toString(16)}`),
  "numbers in brackets on words": (text) => eachWord(text, (word, at) => `${word}[${at + 1}]`),
  "numbers for blanks": (text) => {
    let blank = 0;
    return text.replaceAll("1911", "that year").replace(/ /g, () => String(blank++ % 10));
  },
  "words spelled backwards": (text) =>
    eachWord(text.replaceAll("1911", "1111"), (word) => [...word].reverse().join("")),
  "letters replaced by ROT13": (text) =>
    text.replace(/[a-z]/gi, (one) => String.fromCharCode(97 + ((one.toLowerCase().charCodeAt(0) - 84) % 26))),
  "first letters doubled": (text) => eachWord(text, (word) => `${word[0]}${word}`),
  "doubled letters": (text) => text.replace(/[\p{L}\p{Nd}]/gu, "$&$&"),
  "bold tags around words": (text) => eachWord(text, (word) => `<b>${word}</b>`),
  "tags inside words": (text) => eachWord(text, (word) => cut(word, "<span></span>")),
  "tags with attributes around words": (text) => eachWord(text, (word) => `<b id=x>${word}</b>`),
  "tags of forums around words": (text) => eachWord(text, (word) => `[b]${word}[/b]`),
  "commands of LaTeX around words": (text) => eachWord(text, (word) => `\\emph{${word}}`),
  "blanks written by name": (text) => text.replaceAll(" ", "&nbsp;"),
  "decimal character references": (text) => text.replace(/\p{L}/gu, (one) => `&#${one.codePointAt(0)};`),
  "hexadecimal character references": (text) =>
    text.replace(/[^\s]/gu, (one) => `&#x${one.codePointAt(0)?.toString(16)};`),
};

/** Numbers that rise from word to word may be the marks of notes. Bars divide words in any case. */
const UNFLAGGED = new Set([
  "numbers behind words",
  "numbers before words",
  "bars for blanks",
  "numbers in brackets on words",
  "tags with attributes around words",
  "tags of forums around words",
  "commands of LaTeX around words",
  "blanks written by name",
]);

/** The words that are read as the plain ones; a letter for blanks may also be one of a word. */
const READ_MIN = 0.95;

/** Where all words are spelled in another way, those beside the writer's own without a function word between them are left. */
const RESPELLED = /backwards|ROT13|first letters doubled/;
const RESPELLED_READ_MIN = 0.85;

describe("disguised words", () => {
  for (const [what, disguise] of Object.entries(SEEN_THROUGH)) {
    it(`are read through ${what}, where they stand, and ${UNFLAGGED.has(what) ? "not " : ""}flagged`, () => {
      const plain = /leet/.test(what) ? PLAIN.replaceAll("1911", "that year") : PLAIN;
      const readMin = RESPELLED.test(what) ? RESPELLED_READ_MIN : READ_MIN;
      const copy = disguise(PLAIN);
      expect(copy).to.not.equal(PLAIN);
      const text = BEFORE + copy + AFTER;
      const { words: read, starts, ends } = tokenise(text, "en");
      const own = words(BEFORE).length;
      expect(read.slice(0, own), "text before it").to.deep.equal(words(BEFORE));
      expect(read.slice(-words(AFTER).length), "text behind it").to.deep.equal(words(AFTER));
      const found = read.slice(own, -words(AFTER).length);
      const expected = words(plain);
      expect(found.filter((word) => expected.includes(word)).length, found.join(" ")).to.be.at.least(
        readMin * expected.length,
      );
      expect(found.length).to.be.within(readMin * expected.length, expected.length / readMin);
      for (const [at, start] of starts.entries()) {
        expect(ends[at]).to.be.above(start);
        expect(start).to.be.at.least(ends[at - 1] ?? 0);
      }
      expect(starts[own]).to.be.within(BEFORE.length, BEFORE.length + 8);
      const flags = garbled(text);
      if (UNFLAGGED.has(what)) expect(flags).to.deep.equal([]);
      else {
        expect(flags.join("").length, flags.join("\n")).to.be.at.least((readMin - 0.05) * (copy.length - 8));
        expect(copy).to.include(flags[0]);
      }
    });
  }

  const overlapping = [
    "#AAAAAA, #BBBBBB, #CCCCCC, #DDDDDD, #EEEEEE and #FFFFFF",
    "<!--&#65;&#66;&#67;&#68;&#69;&#70;&#71;&#72;-->".repeat(8),
    `${leet(PLAIN.slice(0, 60), "aeo")} ${leet(PLAIN.slice(60, 150), "aeo")}`,
    "b3ll f0undry t0wer h4rbour st0rm th3 of and about something l0ng w0rds 4nd th3 m3n of t0wn",
    PLAIN.replace(/\p{L}/gu, "$&$&$&$&$&$&"),
  ];
  for (const disguised of overlapping) {
    it(`leave the text behind them in its place: "${disguised.slice(0, 40)}"`, () => {
      const { words: read, starts, ends } = tokenise(disguised + AFTER, "en");
      expect(read.at(-1)).to.equal("door");
      expect([starts.at(-1), ends.at(-1)]).to.deep.equal([
        disguised.length + AFTER.length - 5,
        disguised.length + AFTER.length - 1,
      ]);
      for (const [at, start] of starts.entries()) expect(start).to.be.at.least(ends[at - 1] ?? 0);
    });
  }

  it("are read from the first word of a long text to the last", async () => {
    const decisions = new URL("../../docs/decisions/statistics.md", import.meta.url);
    const all = (await readFile(decisions, "utf8")).match(/\p{L}+/gu) ?? [];
    const plain = all.slice(0, 1_500).join(" ");
    for (const what of [
      "numbers for blanks",
      "numbers in brackets on words",
      "words spelled backwards",
      "letters replaced by ROT13",
    ]) {
      const copy = SEEN_THROUGH[what]?.(plain) ?? "";
      const expected = words(plain);
      const read = words(copy);
      const right = read.filter((word, at) => word === expected[at] || word === expected[at - 1]).length;
      expect(right, what).to.be.at.least(READ_MIN * expected.length);
    }
  });

  it("spelled backwards are read behind a list of names", () => {
    const names = Array.from(
      { length: 1_000 },
      (_, at) => `Smith${"aeiou"[at % 5]}${"bcdfg"[at % 7] ?? "n"}`,
    );
    const copy = eachWord(PLAIN.replaceAll("1911", "1111"), (word) => [...word].reverse().join(""));
    expect(garbled(`${names.join(", ")}\n\n${`${PLAIN}\n`.repeat(4)}\n${copy}`)).to.have.lengthOf(1);
  });

  for (const text of [
    "The terms i18n, l10n, a11y, k8s and e2e are used in the whole of this text and in the notes to it.",
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 and the knight is on f3; c2c4, e7e5, b1c3, g8f6, g1f3 and b8c6 are the moves",
    "51°30'N, 48°12'E, 52°31'N, 13°24'E, 40°42'N and 74°00'W",
    "The key is 00112233445566778899aabbccddeeff in the example of the standard.",
    "#AAAAAA, #BBBBBB, #CCCCCC, #DDDDDD, #EEEEEE and #FFFFFF",
  ]) {
    it(`are not seen in ordinary codes: "${text.slice(0, 40)}"`, () => {
      expect(garbled(text)).to.deep.equal([]);
      const { starts, ends } = tokenise(text, "en");
      const all = [...tokenise(text, "en").words];
      for (const [at, word] of all.entries())
        expect(text.slice(starts[at], ends[at]).toLowerCase()).to.equal(word);
    });
  }

  it("are judged by the first letters of a row of millions, in little memory", () => {
    const protein = "MKVLAAGIVGLCWTHEPRQNDSFY".repeat(200_000);
    expect(garbled(protein)).to.deep.equal([]);
  });

  it("are flagged where the blanks between them are gone, which cannot be seen through", () => {
    const copy = PLAIN.replaceAll(" ", "");
    expect(garbled(BEFORE + copy + AFTER).join("").length).to.be.at.least(0.5 * copy.length);
  });

  for (const [language, copied] of [
    [
      "Russian",
      "Башенные часы остановились во время бури, и никто в совете не мог решить, кто должен платить за починку, потому что купцы говорили: башня принадлежит городу, а её построили рыбаки.",
    ],
    [
      "Greek",
      "Το ρολόι του λιμανιού σταμάτησε στη διάρκεια της καταιγίδας και κανείς στο συμβούλιο δεν μπορούσε να συμφωνήσει ποιος έπρεπε να πληρώσει για την επισκευή του πύργου.",
    ],
  ] as const)
    it(`are flagged without blanks in ${language}`, () => {
      const copy = copied.replaceAll(/[\s,.:]/g, "");
      expect(garbled(`${BEFORE}${copy}${AFTER}`).join("").length).to.be.at.least(0.9 * copy.length);
      expect(garbled(`${BEFORE}${copied}${AFTER}`)).to.deep.equal([]);
    });

  for (const text of [
    "x[i] to y[i], and z[i] to w[i], so that u[i] and v[i] equal p[i] and q[i] for each of them",
    "The high vowels [i] and [u] differ from [s] and [b]; before [i] and [u], [s] becomes [b], while [s] and [u] stay.",
    '<span class="kw">for</span> <span class="id">i</span> <span class="kw">in</span> <span class="id">the</span> <span class="id">list</span>',
    "It is used in vision[1], in speech[2], in robotics[3], in biology[4], in finance[5], in law[6], in games[7] and in art[8].",
    "In the beginning[7225] God[430] created[1254] the heaven[8064] and the earth[776]. And[1] the[2] earth[3] was[4] without[5] form[6].",
    "ar(1), as(1), ld(1), nm(1), od(1), size(1), strip(1), ranlib(1), at(1), du(1), df(1), ls(1), su(1), who(1), cat(1)",
    "the 6187, of 2941, and 2682, to 2560, in 1936, a 1907, is 1100, that 990, for 870, it 850, as 820, was 790, with 700",
    "to be, to have, to do, to say, to get, to make, to go, to know, to take, to see, to come, to think, to look, to want",
    "Anna 12 Ben 14 An 9 Van 11 Lui 10 Mia 13 Tom 8 Eva 12 Max 9 Lea 11 Jan 10 Ida 14 Kai 12 Pia 9",
    "\\textbf{Method} & \\textbf{Precision} & \\textbf{Recall} & \\textbf{F1} & \\textbf{Time} & \\textbf{Memory} & \\textbf{Size} & \\textbf{Year}",
    "Lees de woorden: maan, haan, baan, kaas, vaas, boom, zoon, boot, been, teen, deel, geel, veel, peer, beer, zee, mee, nee, twee, raam, naam, daar, jaar, paar, een, oor, koor, voor, rood, brood.",
    "kkrr4q83sm0s1ihzfau7f29dw and the other va0rg7oigz28mdxx4ase1for",
    "Donaudampfschifffahrtsgesellschaft, Grundstücksverkehrsgenehmigung, Rechtsschutzversicherungsgesellschaft, Rindfleischetikettierungsüberwachung, Kraftfahrzeughaftpflichtversicherung, Arbeiterunfallversicherungsgesetz, Nahrungsmittelunverträglichkeit",
    "Le chant d'aujourd'hui qu'on n'a pas l'habitude d'entendre, l'homme d'esprit l'aime jusqu'à l'excès.",
    "C'è un'altra dell'anno l'ultima d'Italia nell'aria all'alba quest'uomo un'ora d'oro.",
    "The fo'c's'le of the bo's'n, rock'n'roll and the 'lex·i·con'.",
    "La col·lecció i la il·lusió paral·lela, intel·ligent, novel·la, excel·lent, al·legoria, cel·la, xarel·lo.",
    "The unit is J·kg⁻¹·K⁻¹·mol, or N·m·s·rad, kg·m·s·A·K·mol.",
    "H2O and CO2, C6H12O6, BRCA1 and BRCA2, TP53, MLH1, MSH2, MSH6, p53, IL6, TNF2.",
    "int x1 = y2 + z3; foo1(bar2, baz3); item1 item2 item3 item4 item5 item6 item7",
    "sha256 3f9a2b7c 9b1d0e4f 7a6b5c4d 0f1e2d3c a1b2c3d4 e5f60718",
    "mp3 files, 4th of July, 2nd and 3rd, 5kg, 10km, 20mm, A4 paper, B2B, 3D, 4K, the 1990s",
    "See <b>this</b> and <i>that</i>, or &#169; and &#8211; signs, &amp; so on.",
    "<ul><li><b>One</b></li><li><b>Two</b></li><li><b>Three</b></li><li><b>Four</b></li><li><b>Five</b></li></ul>",
    "🇩🇪🇫🇷🇮🇹 and 🇪🇸 🇵🇹 🇬🇧, Germany🇩🇪 France🇫🇷 Italy🇮🇹 Spain🇪🇸 Portugal🇵🇹",
    "I ❤ NY, nice😀lol ok😀 yes🙂no, kitchen→hall→garden, a×b=c, x∈A∪B",
    "Rechtsschutzversicherungsgesellschaften Donaudampfschifffahrtsgesellschaft Kraftfahrzeughaftpflichtversicherung",
    "https://example.org/a-long-address/with_many_parts?and=parameters&more=values#fragment",
    "ATGCGTACGTTAGCATGCATGCATCGATCGATCGATGCATCGATCGTAGCTAGCTAGCTAGCATCGATGCAT",
    "methionylthreonylthreonylglutaminylarginyltyrosylglutamylserylleucylphenylalanyl",
    "https://example.org/?q=the%20harbour%20clock%20had%20stopped%20during%20the%20storm%20of%20that%20year%20and%20nobody",
    "The codes \\u0041, \\u0042, \\u0043, \\u0044, \\u0045, \\u0046, \\u0047, \\u0048, \\u0049 and \\u004a are letters.",
    'char code[] = "\\x31\\xc0\\x50\\x68\\x2f\\x2f\\x73\\x68\\x68\\x2f\\x62\\x69\\x6e\\x89\\xe3\\x50\\x53";',
    "AbstractSingletonProxyFactoryBean, InternalFrameInternalFrameTitlePaneInternalFrameTitlePaneMaximizeButtonPainter",
    "shouldReturnAllUsersWhenTheFilterIsEmpty, shouldFailIfTheUserHasNoRights and shouldKeepTheOrderOfAllItems",
    "метилпропенилендигидроксициннаменилакрилическая превысокомногорассмотрительствующий",
    "Aaron, committee, bookkeeper, 1100 aa bb cc, oo, ee",
  ]) {
    it(`are not seen in ${JSON.stringify(text.slice(0, 60))}`, () => {
      expect(garbled(text)).to.deep.equal([]);
    });
  }

  for (const [language, text] of Object.entries({
    ru: "Старый литейный двор у плотины отлил одиннадцать колоколов для башен долины, и ни один из них не был с трещиной.",
    zh: "水坝边的铸钟厂为山谷里的塔楼铸造了十一口钟，没有一口是有裂缝的，人们在那一年把它们挂了起来。",
  })) {
    it(`are read through the encoding of addresses in ${language}, and flagged`, () => {
      const encoded = encodeURIComponent(text);
      expect(tokenise(encoded, language).words).to.deep.equal(tokenise(text, language).words);
      expect(garbled(encoded)).to.have.length(1);
    });
  }

  it("take linear time in texts of nothing else", function () {
    this.timeout(120_000);
    for (const unit of [
      "a·b",
      "ab'",
      "a1b ",
      "1a ",
      "aa",
      "🙂a",
      "🇧",
      "<b>",
      "&#97;",
      "x".repeat(40),
      "b3ll ",
      "%20a",
      "\\u0041",
      "TheBell",
      "aB",
      "/%20",
      "a ",
    ]) {
      const startedAt = cpuTimeMs();
      const text = unit.repeat(Math.ceil(400_000 / unit.length));
      tokenise(text, "en");
      integrityFlags(text);
      expect(cpuTimeMs() - startedAt, unit).to.be.below(10_000);
    }
  });
});
