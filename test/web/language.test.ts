import { expect } from "chai";
import type { Locator } from "playwright-core";
import { LANGUAGE_CODES } from "../../src/text/languages.ts";
import { useBrowser } from "../support/browser/use-browser.ts";
import { useEngine } from "../support/use-engine.ts";
import { PARAGRAPHS } from "../support/work/paragraphs.ts";

const TIMEOUT_MS = 120_000;

describe("the language of a text on the pages", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();

  it("is detected unless one is chosen, shown with the report, and can be changed by another check", async () => {
    const { page, complaints } = await browser.open(engine.client.base);
    const field = page.getByLabel("Language");
    expect(await field.locator("option:checked").textContent()).to.equal("Detected automatically");
    await page.getByLabel("Text to check").fill(PARAGRAPHS.fr);
    await page.getByLabel("Title").fill("Market days");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("French (detected)").waitFor();
    const first = page.url();

    await page.getByText("More", { exact: true }).click();
    await page.getByRole("button", { name: "Check in another language" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Language").inputValue()).to.equal("fr");
    expect(await dialog.getByLabel("Language").locator("option").allTextContents()).not.to.include("fr");
    await dialog.getByLabel("Language").selectOption({ label: "Catalan" });
    await dialog.getByRole("button", { name: "Check again" }).click();
    await page.getByText(/^Catalan · /).waitFor();
    expect(page.url()).not.to.equal(first);
    const checkId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    expect(await engine.client.check(checkId)).to.include({
      title: "Market days",
      language: "ca",
      language_origin: "stated",
    });
    expect(complaints).to.deep.equal([]);
  });

  it("is chosen in one list of names, the reader's own and the common ones first, without codes and duplicates", async () => {
    const { page } = await browser.open(engine.client.base, { locale: "kw-GB" });
    const groups = await page.evaluate<{ label: string; options: [code: string, name: string][] }[]>(
      `[...document.querySelectorAll("select optgroup")].map(({ label, children }) => ({
        label,
        options: [...children].map(({ value, textContent }) => [value, textContent]),
      }))`,
    );
    const [common, other] = groups;
    expect(groups.map(({ label }) => label)).to.deep.equal(["Common languages", "Other languages"]);
    expect(common?.options).to.have.lengthOf(17);
    expect(common?.options).to.deep.include(["kw", "Cornish"]);
    const all = groups.flatMap(({ options }) => options);
    expect(all.map(([code]) => code).toSorted()).to.deep.equal(LANGUAGE_CODES);
    expect(new Set(all.map(([, name]) => name)).size).to.equal(all.length);
    expect(all.filter(([code, name]) => name === "" || name === code)).to.deep.equal([]);
    for (const { options } of [common, other].flatMap((one) => one ?? [])) {
      const names = options.map(([, name]) => name);
      expect(names).to.deep.equal(names.toSorted((a, b) => a.localeCompare(b, "en")));
    }
  });

  it("is the same list where a document is uploaded and where a language is corrected", async () => {
    const optionsOf = (field: Locator) => field.locator("option").allTextContents();
    const { page } = await browser.open(engine.client.base);
    const [detected, ...offered] = await optionsOf(page.getByLabel("Language"));
    await page.goto(`${engine.client.base}/corpus`);
    expect(await optionsOf(page.getByLabel("Language of the files"))).to.deep.equal([detected, ...offered]);
    const { document_id: id } = await engine.client.addDocument("fair.txt", PARAGRAPHS.fr);
    await page.goto(`${engine.client.base}/corpus/${id}`);
    await page.getByRole("button", { name: "Change language" }).click();
    expect(await optionsOf(page.getByRole("dialog").getByLabel("Language"))).to.deep.equal(offered);
  });

  it("says when it is only assumed", async () => {
    const checkId = await engine.client.submit("Guten Tag.");
    await engine.client.ended(checkId);
    const { page } = await browser.open(`${engine.client.base}/checks/${checkId}`);
    await page.getByText("English (assumed: the text is too short or too mixed to tell)").waitFor();
  });

  it("can be corrected for a document, which is indexed again", async () => {
    const { document_id: id } = await engine.client.addDocument("market.txt", PARAGRAPHS.pl);
    const { page, complaints } = await browser.open(`${engine.client.base}/corpus/${id}`);
    await page.getByText("Polish (detected)").waitFor();
    await page.getByRole("button", { name: "Change language" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Language").selectOption({ label: "Czech" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.locator("dd", { hasText: /^Czech\b/ }).waitFor();
    await page.getByText("Searchable", { exact: true }).waitFor();
    expect(await page.locator(".document-text").getAttribute("lang")).to.equal("cs");
    expect((await engine.client.fingerprinted(id)).language).to.equal("cs");
    expect(complaints).to.deep.equal([]);
  });
});
