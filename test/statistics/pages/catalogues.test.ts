import { expect } from "chai";
import {
  FALLBACK,
  findLanguage,
  LANGUAGE_TAGS,
  LANGUAGES,
  type LanguageTag,
} from "../../../src/http/languages/languages.ts";
import { CATALOGUES, type Catalogue } from "../../../src/statistics/pages/languages.ts";
import { catalogueFaults, englishTexts } from "./catalogue-faults.ts";

/** Texts that a language shares with English. */
const ALIKE: Readonly<Partial<Record<LanguageTag, readonly string[]>>> = {
  de: ["look.region", "look.rate", "lists.types.dissertation", "answers.header", "answers.status"],
  fr: ["facts.licence", "look.publications", "look.discipline", "look.mentions", "loaded.source"],
};

describe("the texts of the pages", () => {
  it("exist in at least twelve languages", () => {
    expect(LANGUAGE_TAGS.length).to.be.at.least(12);
    expect(Object.keys(CATALOGUES).toSorted()).to.deep.equal(LANGUAGE_TAGS.toSorted());
  });

  for (const language of LANGUAGES.filter((one) => one !== FALLBACK)) {
    it(`are complete in ${language.name}`, () => {
      const { tag } = language;
      expect(catalogueFaults(language, CATALOGUES[tag], ALIKE[tag] ?? [])).to.deep.equal([]);
    });
  }

  it("add in English only the descriptions that the schemas lack", () => {
    const given = Object.keys(CATALOGUES.en.reference.fields).map((key) => `fields.${key}`);
    const texts = englishTexts();
    expect([...texts].filter(([, text]) => text === "").map(([key]) => key)).to.deep.equal([]);
    expect(given.filter((key) => !texts.has(key))).to.deep.equal([]);
  });

  describe("report a fault", () => {
    const whole = CATALOGUES.de;
    const german = findLanguage("de") ?? FALLBACK;
    const page = (changes: Partial<Catalogue["page"]>) => ({ ...whole, page: { ...whole.page, ...changes } });
    const faultsOf = (catalogue: Catalogue) => catalogueFaults(german, catalogue, ALIKE.de ?? []);

    it("when a text is missing or empty", () => {
      const { window: _, ...parameters } = whole.reference.parameters;
      const spoiled = { ...whole, reference: { ...whole.reference, parameters } };
      expect(faultsOf(spoiled)).to.deep.equal(["reference: parameters.window is missing"]);
      expect(faultsOf(page({ copy: " " }))).to.deep.equal(["page: copy is missing"]);
    });

    it("when a text is not used", () => {
      const problems = { ...whole.reference.problems, gone: "Weg." };
      const spoiled = { ...whole, reference: { ...whole.reference, problems } };
      expect(faultsOf(spoiled)).to.deep.equal(["reference: problems.gone is not used"]);
    });

    it("when a text is still English, or is listed as equal to English although it differs", () => {
      expect(faultsOf(page({ copy: CATALOGUES.en.page.copy }))).to.deep.equal(["copy is not translated"]);
      const faults = catalogueFaults(german, whole, [...(ALIKE.de ?? []), "copy"]);
      expect(faults).to.deep.equal(["copy is translated, and listed as alike"]);
    });

    it("when a value or a name of the API was lost or added", () => {
      expect(faultsOf(page({ lead: "Wie viele?" }))).to.deep.equal(["lead has other values: "]);
      expect(faultsOf(page({ copy: "Kopieren: {per}" }))).to.deep.equal(["copy has other values: {per}"]);
      const caution = { ...whole.page.caution, found: "Ein `Rückzug`." };
      expect(faultsOf(page({ caution }))).to.deep.equal(["caution.found has other code: Rückzug"]);
      const odd = { ...whole.page.caution, found: "Ein `Rückzug." };
      expect(faultsOf(page({ caution: odd }))).to.deep.equal([
        "caution.found has other code: Rückzug.,an odd backtick",
      ]);
    });

    it("when plural forms do not match the language or lack the count", () => {
      const rows = { other: "{count} Zeilen" };
      expect(faultsOf({ ...whole, plurals: { ...whole.plurals, rows } })).to.deep.equal([
        "plural rows has other, not one,other",
      ]);
      const mute = { one: "eine Zeile", other: "Zeilen" };
      expect(faultsOf({ ...whole, plurals: { ...whole.plurals, rows: mute } })).to.deep.equal([
        "plural rows.other: ",
      ]);
    });
  });
});
