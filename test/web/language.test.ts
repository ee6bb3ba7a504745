import { expect } from "chai";
import { useBrowser } from "../support/browser/use-browser.ts";
import { useEngine } from "../support/use-engine.ts";
import { PARAGRAPHS } from "../support/work/paragraphs.ts";

const TIMEOUT_MS = 60_000;

describe("the language of a text on the pages", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();

  it("is detected unless one is chosen, shown with the report, and can be changed by another check", async () => {
    const { page, complaints } = await browser.open(engine.client.base);
    const field = page.getByLabel("Language");
    expect(await field.locator("option:checked").textContent()).to.equal("Detect from the text");
    await page.getByLabel("Text to check").fill(PARAGRAPHS.fr);
    await page.getByLabel("Title").fill("Market days");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("French (detected)").waitFor();
    const first = page.url();

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
    await page.getByRole("button", { name: "Correct the language" }).click();
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
