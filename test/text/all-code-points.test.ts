import { expect } from "chai";
import { align } from "../../src/matching/words/align.ts";
import { prepareQuery } from "../../src/matching/words/text-pair.ts";
import confusables from "../../src/text/confusables.json" with { type: "json" };
import { integrityFlags } from "../../src/text/integrity.ts";
import { tokenise } from "../../src/text/tokenise.ts";

const COPIED = [
  "The harbour clock had stopped during the storm of 1911, and nobody on the council could agree who should pay for it.",
  "Merchants said that the town owned the tower, while the mayor's clerks produced a letter which seemed to prove that",
  "the fishermen's guild had built it; a quick brown fox lazily jumped over zoological exhibits.",
].join(" ");

/** The share of words that a copy has to keep, and the score that it has to have. */
const KEPT_MIN = 0.95;

/** A blank sign, a hair space, and marks that show nothing on Latin letters. All else of their categories has a shape or a width. */
const BLANK =
  /[\u{1d159}\u200a\u1039\u17d2\u1a60\u1bab\uaaf6\u{10a3f}\u{1107f}\u{11133}\u{113d0}\u{1193e}\u{11a47}\u{11a99}\u{11d45}\u{11d97}\u{11f42}\u{16fe4}]/v;

/** Letters, digits, marks, signs, spaces and line breaks; private and unassigned ones are shown as a box. */
const VISIBLE =
  /[[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\p{Co}\p{Cn}\p{Cs}\t-\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]--[\p{DI}\p{NChar}\ufffc]]/v;

function isClearlyVisible(character: string): boolean {
  return VISIBLE.test(character) && !BLANK.test(character);
}

/** The share of the copied paragraph's words that a text still has, in their order. */
function keptShare(text: string, copied = COPIED): number {
  const words = tokenise(copied, "en").words;
  const found = tokenise(text, "en").words;
  return words.filter((word, at) => found[at] === word).length / words.length;
}

/** The score of a text, from 0 to 1, against the copied paragraph. */
function scoreOf(text: string, copied: string): number {
  if (keptShare(text, copied) >= KEPT_MIN) return 1;
  const query = prepareQuery({ text, tokens: tokenise(text, "en") }, { language: "en" });
  const { kept } = align(query, { text: copied, tokens: tokenise(copied, "en") });
  return kept.reduce((sum, { query: { start, end } }) => sum + end - start, 0) / text.length;
}

function* allCodePoints(): Generator<string> {
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) yield String.fromCodePoint(codePoint);
}

function nameOf(character: string): string {
  return `U+${character.codePointAt(0)?.toString(16)}`;
}

describe("every code point", function () {
  // Thousands of texts are analysed.
  this.timeout(120_000);
  const hidden = [...allCodePoints()].filter((character) => !isClearlyVisible(character));

  it("that is hardly visible is ignored between letters and beside words, or is flagged", () => {
    expect(hidden).to.have.length.above(4_000);
    const failed = hidden.filter((character) => {
      const text = COPIED.replace(/(?<=\p{L}) (?=\p{L})/gu, `${character} ${character}`);
      return scoreOf(text, COPIED) < KEPT_MIN && integrityFlags(text).length === 0;
    });
    expect(failed.map(nameOf)).to.deep.equal([]);
  });

  /** Where a reader would take the text for unchanged: between all letters, or once or twice in each word. */
  const PLACES = [/(?<=\p{L})(?=\p{L})/gu, /(?<=(?<!\p{L})\p{L}{2})(?=\p{L}{2})/gu];

  /** Ends of lines, tabs and spaces: in a word they part it, as anybody sees; between all letters, other spaces than U+0020 may hide it. */
  const SPACE = /[\t\n\r\p{Zs}\u3164\uffa0]/u;
  /** Beside words parted by the same space, letters parted by it can be read by nobody. */
  const SAME_SPACE = /[\n\r \u3164\uffa0]/;
  /** A soft hyphen is used in honest text, so it is no sign of a disguise. */
  const UNFLAGGED = "\u00ad";

  it("that formats, separates or can be ignored hides no copy between letters, and is flagged", () => {
    const candidates = [...allCodePoints()].filter(
      (one) => !isClearlyVisible(one) || /[\p{Z}\p{Cf}\p{Cc}]/u.test(one),
    );
    const failed = candidates.flatMap((character) => {
      const [everywhere, once] = PLACES.map((place) => COPIED.replace(place, character));
      const texts = [
        ...(SAME_SPACE.test(character) ? [] : [everywhere]),
        ...(SPACE.test(character)
          ? []
          : [once, ...[2, 5].map((times) => COPIED.replace(PLACES[1] ?? "", character.repeat(times)))]),
      ];
      return texts.filter(
        (text = "") =>
          scoreOf(text, COPIED) < KEPT_MIN || (integrityFlags(text).length === 0 && character !== UNFLAGGED),
      );
    });
    expect(failed).to.deep.equal([]);
  });

  it("that is hardly visible is ignored inside words", () => {
    const failed = hidden.filter((character) => {
      if (/[\u3164\uffa0]/.test(character)) return false; // As wide as a letter.
      const text = COPIED.replace(/(?<=\p{L}{2})(?=\p{L}{2})/gu, character);
      return keptShare(text) < KEPT_MIN;
    });
    expect(failed.map(nameOf)).to.deep.equal([]);
  });

  for (const character of [
    "\ufff9",
    "\ufffa",
    "\ufffb",
    "\x01",
    "\x7f",
    "\x80",
    "\x85",
    "\x9f",
    "\u200a",
    "\uffff",
  ]) {
    it(`${nameOf(character)} is flagged inside a word`, () => {
      const [flag, ...others] = integrityFlags(`so co${character}pied`);
      expect(others).to.deep.equal([]);
      expect(flag).to.include({ kind: "invisible_characters", start: 3, end: 10 });
      expect(flag?.detail).to.match(/^U\+[0-9A-F]{4} [A-Z -]+$/);
    });
  }
});

describe("every look-alike", () => {
  /** Each look-alike of a plain letter with the letter. */
  const lookAlikes = confusables.classes.flatMap((all) => {
    const capital = all.match(/[A-Z]/)?.[0];
    const small = all.match(/[a-z]/)?.[0];
    return Array.from(all.replace(/[\0-\x7f]/g, ""), (one) => {
      const letter = /^\p{Lu}/u.test(one) ? (capital ?? small) : (small ?? capital);
      return { one, letter: letter ?? "", capital: capital ?? "" };
    }).filter(({ letter }) => letter !== "");
  });

  /** The scripts whose letters stand in for Latin ones in the first place. */
  const SCRIPTS = /[[\p{sc=Grek}\p{sc=Cyrl}\p{sc=Armn}\p{sc=Copt}\p{sc=Cher}\p{sc=Lisu}]&&\p{L}]/v;

  it("of a letter hides no copy in either case; if its script is one of those used for it, it is flagged", () => {
    expect(lookAlikes).to.have.length.above(450);
    const failed = lookAlikes.flatMap(({ one, letter }) =>
      [COPIED, COPIED.toUpperCase()]
        .filter((copied) => {
          // Between capitals, digits of other scripts are figures, which nobody reads as an O.
          if (!/\p{L}/u.test(one) && copied !== COPIED) return false;
          const text = copied.replaceAll(new RegExp(letter, "gi"), one);
          const flags = integrityFlags(text).filter(({ kind }) => kind === "homoglyphs");
          return scoreOf(text, copied) < KEPT_MIN || (SCRIPTS.test(one) && flags.length === 0);
        })
        .map(() => nameOf(one)),
    );
    expect(failed).to.deep.equal([]);
  });

  it("in capital and small Cherokee and Coptic letters is read as Latin", () => {
    for (const { one, letter, capital } of lookAlikes) {
      if (capital === "" || !/[\p{sc=Cher}\p{sc=Copt}]/v.test(one)) continue;
      for (const letterOfScript of [one, one.toLowerCase()]) {
        const text = COPIED.replaceAll(new RegExp(letter, "gi"), letterOfScript);
        expect(scoreOf(text, COPIED), nameOf(letterOfScript)).to.be.at.least(KEPT_MIN);
        expect(
          integrityFlags(text).map(({ kind }) => kind),
          nameOf(letterOfScript),
        ).to.include("homoglyphs");
      }
    }
  });

  it("among ASCII characters is read as the letter if several words contain it", () => {
    for (const text of [
      COPIED.replace(/(?<=[a-z])l(?=[a-z])/g, "1"),
      COPIED.replace(/(?<=[a-z])l(?=[aeiouy])/g, "I"),
    ]) {
      expect(text).to.not.equal(COPIED);
      expect(keptShare(text)).to.equal(1);
      expect(integrityFlags(text).map(({ kind }) => kind)).to.include("homoglyphs");
    }
    expect(tokenise("sha1sum and McIntyre, SPY×FAMILY", "en").words).to.include.members([
      "sha1sum",
      "mcintyre",
      "spy",
    ]);
  });

  for (const script of ["Cherokee", "Lisu"]) {
    it(`in ${script} is read as Latin in words of nothing else, and flagged`, () => {
      const ofScript = new RegExp(`\\p{sc=${script}}`, "v");
      const copied = COPIED.toUpperCase();
      let text = copied;
      for (const { one, capital } of lookAlikes)
        if (capital !== "" && ofScript.test(one)) text = text.replaceAll(capital, one);
      expect(text.match(new RegExp(`(?<!\\p{L})\\p{sc=${script}}{3,}(?!\\p{L})`, "gv"))).to.have.length.above(
        2,
      );
      expect(keptShare(text, copied)).to.be.at.least(KEPT_MIN);
      expect(integrityFlags(text).map(({ kind }) => kind)).to.include("homoglyphs");
    });
  }

  it("of two UTF-16 units leaves the words in their places", () => {
    const text = "a pl\u{102a0}n of the S\u{10404}uthern sea";
    const { words, starts, ends } = tokenise(text, "en");
    expect(words).to.deep.equal(["a", "plan", "of", "the", "southern", "sea"]);
    expect(words.map((_, at) => text.slice(starts[at], ends[at]))).to.deep.equal(text.split(" "));
  });
});

/** The first article of the Declaration of Human Rights or a sentence like it, and names in foreign text. */
const REAL_TEXTS = [
  "ᏂᎦᏓ ᎠᏂᏴᏫ ᏂᎨᎫᏓᎸᎾ ᎠᎴ ᎤᏂᎶᏱ ᎤᎾᏕᎿ ᏚᏳᎧᏛ ᎨᏒᎢ. ᎨᏥᏁᎳ ᎤᎾᏓᏅᏖᏗ ᎠᎴ ᎤᏃᏟᏍᏗ",
  "ꓡꓲ-ꓢꓴ ꓥꓳꓽ ꓟꓳꓽ ꓛꓬꓲꓸ ꓙꓳ ꓞꓲꓸ ꓐꓴ ꓡꓯ ꓠꓬꓲ ꓮ ꓕꓯ ꓢꓲ ꓫꓵ ꓗꓪꓯ",
  "The Lisu call themselves ꓡꓲ-ꓢꓴ, the Cherokee ᏣᎳᎩ",
  "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
  "Все люди рождаются свободными и равными в своем достоинстве и правах.",
  "Бүх хүн төрөхдөө эрх чөлөөтэй, адилхан нэр төртэй, ижил эрхтэй байдаг.",
  "Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ ու իրավունքներով։",
  "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით.",
  "כל בני האדם נולדו בני חורין וWindows ו־Google שווים בערכם ובזכויותיהם.",
  "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق، وWindows١٠",
  "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता, Windows१० और GPT४",
  "มนุษย์ทั้งหลายเกิดมามีอิสระ iPhone๑๐",
  "人人生而自由,在尊严和权利上一律平等。丫头用Linux系统和卡拉OK一〇年",
  "すべての人間は、生まれながらにして自由であり、Tシャツ、一二三",
  "모든 인간은 태어날 때부터 자유로우며 ㅇㅇ ㅋㅋ",
  "Amegbetɔwo katã wodzi ablɔɖeviwoe eye wodzena bubu kple gomekpɔkpɔ sɔsɔe. Eʋe gbegbɔgblɔ",
  "A ∪ B, p ∨ q, 16×9 and ∀x∃y, νmax, the U+007C │ of tables",
] as const;

describe("real texts of many scripts", () => {
  for (const text of REAL_TEXTS) {
    it(`have no look-alikes: ${text.slice(0, 30)}`, () => {
      expect(integrityFlags(text)).to.deep.equal([]);
    });
  }

  it("keep their words in Cherokee and Lisu", () => {
    for (const text of REAL_TEXTS.slice(0, 2)) {
      const letters = (words: string) => words.replace(/[^\p{L}]|[\ua4f8-\ua4fd]/gu, "").toLowerCase();
      expect(tokenise(text, "en").words.join("")).to.equal(letters(text));
    }
  });
});
