import { expect } from "chai";
import { CATALOGUES, textsIn } from "../../../src/http/languages/catalogues.ts";
import { LANGUAGES } from "../../../src/http/languages/languages.ts";

type Message = string | Readonly<Record<string, string>>;

/** The texts of a message: of a counted one, its forms by plural category. */
const formsOf = (message: Message) =>
  typeof message === "string" ? [["", message] as const] : Object.entries(message);
const placeholdersIn = (text: string) => new Set(text.match(/\{\w+\}/g) ?? []);

/** The faults of a language's texts, compared with the English ones. */
function faultsIn(
  catalogue: Readonly<Record<string, Message>>,
  english: Readonly<Record<string, Message>>,
  locale: string,
): string[] {
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions();
  return Object.entries(english).flatMap(([key, original]) => {
    const wanted = placeholdersIn(
      formsOf(original)
        .map(([, text]) => text)
        .join(" "),
    );
    const message = catalogue[key];
    if (message === undefined) return [`${key} is missing`];
    const forms = formsOf(message);
    const faults = forms.flatMap(([category, text]) => {
      const found = placeholdersIn(text);
      // "one word" need not have the number.
      if (wanted.has("{count}") && (category === "one" || category === "two")) found.add("{count}");
      const isSame = found.size === wanted.size && [...found].every((one) => wanted.has(one));
      return [
        ...(text.trim() === "" ? ["is empty"] : []),
        ...(isSame ? [] : [`has other values: ${text}`]),
        ...(category === "" || pluralCategories.some((one) => one === category)
          ? []
          : [`has the form ${category}`]),
      ];
    });
    return faults.map((fault) => `${key} ${fault}`);
  });
}

/** Words that a language has in common with English: names, signs, and loans. */
const SHARED_MAX = 40;

describe("the texts of pages and exports", () => {
  for (const { tag, locale, name } of LANGUAGES)
    it(`are complete in ${name}, with the values of the English ones and the language's plural forms`, () => {
      expect(faultsIn(CATALOGUES[tag], CATALOGUES.en, locale)).to.deep.equal([]);
      expect(Object.keys(CATALOGUES[tag])).to.have.members(Object.keys(CATALOGUES.en));
      if (tag === "en") return;
      const texts = new Map<string, Message>(Object.entries(CATALOGUES[tag]));
      const same = Object.entries(CATALOGUES.en).filter(
        ([key, text]) => JSON.stringify(texts.get(key)) === JSON.stringify(text),
      );
      expect(same.length, same.map(([key]) => key).join(", ")).to.be.below(SHARED_MAX);
    });

  it("would be found with a lost value, a missing text, or a form that the language does not have", () => {
    const english = { a: "{x} of {y}", b: { one: "{count} word", other: "{count} words" } };
    expect(faultsIn({ a: "{x}", b: english.b }, english, "de")).to.deep.equal(["a has other values: {x}"]);
    expect(faultsIn({ a: english.a }, english, "de")).to.deep.equal(["b is missing"]);
    expect(faultsIn({ ...english, b: { other: "Wörter" } }, english, "de")).to.have.length(1);
    expect(faultsIn({ ...english, b: { few: "{count}", other: "{count}" } }, english, "de")).to.deep.equal([
      "b has the form few",
    ]);
  });

  it("count by the plural rules of the language", () => {
    const words = (tag: "ar" | "pl" | "ja", counts: readonly number[]) =>
      counts.map((count) => textsIn(tag).sayCount("count.words", count));
    expect(words("pl", [1, 2, 5, 22])).to.deep.equal(["1 słowo", "2 słowa", "5 słów", "22 słowa"]);
    expect(new Set(words("ar", [1, 2, 3, 11])).size).to.equal(4);
    expect(words("ja", [1, 2])).to.deep.equal(["1 語", "2 語"]);
  });

  it("write numbers, percentages and names of languages as the language does", () => {
    const german = textsIn("de");
    expect([german.count(12_345), german.percent(12.3), german.languageName("pl")]).to.deep.equal([
      "12.345",
      "12,30\u00a0%",
      "Polnisch",
    ]);
    expect(textsIn("en").utcDate("2026-11-21T19:50:00Z")).to.equal("21 November 2026 at 19:50 UTC");
  });
});
