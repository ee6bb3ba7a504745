import { expect } from "chai";
import fc from "fast-check";
import { integrityFlags } from "../../src/text/integrity.ts";
import { tokenise } from "../../src/text/tokenise.ts";

const RUNS = 300;

function words(text: string): string {
  return tokenise(text, "en").words.join(" ");
}

/** What lies under each token, in the text as submitted. */
function spelled(text: string): string[] {
  const { starts, ends } = tokenise(text, "en");
  return Array.from(starts, (start, at) => text.slice(start, ends[at]));
}

function flagged(text: string): string[] {
  return integrityFlags(text)
    .filter(({ kind }) => kind === "spaced_letters")
    .map(({ start, end }) => text.slice(start, end));
}

/** Disguises: the text, its words, and the part that is flagged. */
const DISGUISES: readonly (readonly [text: string, words: string, flagged: string])[] = [
  ["This is p l a g i a r i s m of text", "this is plagiarism of text", "p l a g i a r i s m"],
  ["so c.o.p.i.e.d, see", "so copied see", "c.o.p.i.e.d"],
  ["c-o-p-i-e-d t_e_x_t", "copied text", "c-o-p-i-e-d t_e_x_t"],
  ["C o p i e d, then", "copied then", "C o p i e d"],
  [
    "T h i s   i s   a   t e x t ,   d o n ' t   y o u   s e e ?",
    "this is a text dont you see",
    "T h i s   i s   a   t e x t ,   d o n ' t   y o u   s e e",
  ],
  ["p.l.a.g.i.a.t is b.a.d", "plagiat is b a d", "p.l.a.g.i.a.t"],
  ["p.l.a.g.i.a.t o.r  b.a.d", "plagiat or bad", "p.l.a.g.i.a.t o.r  b.a.d"],
  ["t\u00a0e\u00a0x\u00a0t and w\u2009o\u2009r\u2009d", "text and word", "t\u00a0e\u00a0x\u00a0t"],
  ["t\u3164e\u3164x\u3164t", "text", "t\u3164e\u3164x\u3164t"],
  ["t\u200b e \u200bx t", "text", "t\u200b e \u200bx t"],
  ["f o u r   9 9 9 9", "four 9999", "f o u r   9 9 9 9"],
  ["n á d h e r n ý", "nadherny", "n á d h e r n ý"],
  ["п л а г и а т", "плагиат", "п л а г и а т"],
  ["ا ل ك ت ا ب", "الكتاب", "ا ل ك ت ا ب"],
  ["सा हि त् य का र", "साहित्यकार", "सा हि त् य का र"],
  [
    "图 书 馆 从 下 周 开 始 延 长 开 放",
    words("图书馆从下周开始延长开放"),
    "图 书 馆 从 下 周 开 始 延 长 开 放",
  ],
];

/** What is written letter by letter for other reasons: as many words as before, and no flag. */
const INNOCENT = [
  "J. R. R. Tolkien and E. T. A. Hoffmann",
  "Smith A B C D and Jones E F",
  "the U S A and the U.S.S.R. and N A S A",
  "items a b c, a b c d e f g h and i. j. k. l.",
  "x y z w and x, y, z, t and i j k l m n",
  "a b a b c d c d e f e f g g",
  "1 2 3 4 5 6 7 8 9 0",
  "0 1 1 0\n1 0 0 1\n0 0 1 1",
  "a e i o u and [e o ɘ ɵ ɤ o]",
  "o x o x o o x x o",
  "A C B D A D C",
  "b a d a b d and | a | e | b | d |",
  "α β γ δ ε and а б в г д е",
  "أ ب ج د",
  "ก ข ค ง จ",
  "क ख ग घ",
  "I, a C and e. g. or i. e. a. m.",
  "두 번 더 할 수 있다",
  "a/b/e/d = e + a + r + n",
];

/** Brought together, because the same word may stand without the gaps elsewhere, but nothing to tell anybody. */
const JOINED = [
  ["the C.R.E.A.M. of it", "the cream of it"],
  ["I N T R O D U C T I O N", "introduction"],
  ["参 考 文 献", words("参考文献")],
] as const;

describe("spaced letters", () => {
  for (const [text, expected, flag] of DISGUISES) {
    it(`read as words in ${JSON.stringify(text)}`, () => {
      expect(words(text)).to.equal(expected);
      expect(flagged(text)[0]).to.equal(flag);
    });
  }

  for (const text of INNOCENT) {
    it(`are none in ${JSON.stringify(text)}`, () => {
      const letters = text.match(/[\p{L}\p{Nd}]+/gu) ?? [];
      expect(tokenise(text, "en").words).to.have.lengthOf(letters.length);
      expect(integrityFlags(text)).to.deep.equal([]);
    });
  }

  for (const [text, expected] of JOINED) {
    it(`are a word, but no disguise, in ${JSON.stringify(text)}`, () => {
      expect(words(text)).to.equal(expected);
      expect(integrityFlags(text)).to.deep.equal([]);
    });
  }

  it("have the offsets of their word from the first letter to the last", () => {
    expect(spelled("one t w o o, t.w.o.o three")).to.deep.equal(["one", "t w o o", "t.w.o.o", "three"]);
    expect(spelled("(s p\u200b a\u0301 c e d)")).to.deep.equal(["s p\u200b a\u0301 c e d"]);
  });

  it("become the words they spell if the gaps between words are wider than those between letters", () => {
    const word = fc.constantFrom("copied", "text", "paragraph", "of", "a", "the", "reader", "hidden", "is");
    const gap = fc.constantFrom(" ", "\u00a0", "\u2009", ".", "-", "_", "·", "*", "|");
    fc.assert(
      fc.property(fc.array(word, { minLength: 3, maxLength: 30 }), gap, (list, between) => {
        const text = ["copied", ...list]
          .map((each) => Array.from(each).join(between))
          .join(`${between} ${between}`);
        expect(words(text)).to.equal(["copied", ...list].join(" "));
      }),
      { numRuns: RUNS, seed: 5 },
    );
  });
});
