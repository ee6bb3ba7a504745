import { expect } from "chai";
import { faultsInBothSchemes } from "../../support/browser/accessibility.ts";
import { expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

describe("the decision on a report, in a browser", function () {
  this.timeout(120_000);
  const engine = useEngine();
  const browser = useBrowser();
  const [quoted, copied, own] = [prose(31, 60), prose(32, 60), prose(33, 60)];
  let checkId: string;

  before(async () => {
    await engine.client.addDocument("source.txt", `${quoted} ${copied}`);
  });

  beforeEach(async () => {
    checkId = await engine.client.submit(`“${quoted}”\n\n${copied}\n\n${own}`, { title: "Essay" });
    await engine.client.ended(checkId);
  });

  const open = async (query = "") => {
    const opened = await browser.open(`${engine.client.base}/checks/${checkId}${query}`);
    const { page } = opened;
    await page.locator(".text").waitFor();
    const keep = page.locator(".review button.primary");
    const status = page.locator(".review select");
    const comment = page.getByLabel("Comment", { exact: true });
    const quotes = page.getByLabel("Exclude quotations");
    return { ...opened, keep, status, comment, quotes };
  };

  it("is kept with the filters by one click, and shown again at an address without filters", async () => {
    const { page, keep, status, comment, quotes, complaints } = await open();
    await page.getByText("Keeps the decision, the comment and the filters").waitFor();
    await quotes.check();
    await page.getByText("Filtered:").waitFor();
    await status.selectOption("cleared");
    await comment.fill("Quoted in chapter 2.");
    await keep.click();
    await page.locator(".review button", { hasText: "Kept" }).waitFor();
    await page.waitForURL(/exclude_quotes=true/);
    const { review } = await engine.client.check(checkId);
    expect(review).to.include({ status: "cleared", comment: "Quoted in chapter 2." });
    expect(review?.filters).to.deep.equal({ exclude_quotes: true });

    const again = await open();
    await expectSoon(() => again.quotes.isChecked(), true);
    await expectSoon(() => again.status.inputValue(), "cleared");
    await expectSoon(() => again.comment.inputValue(), "Quoted in chapter 2.");
    const facts = await again.page.locator(".review p").first().innerText();
    const { overall_similarity_pct: whole } = await engine.client.check(checkId);
    expect(facts).to.include(`${review?.reviewed_similarity_pct.toFixed(2)}% as reviewed`);
    expect(facts).to.include(`${whole?.toFixed(2)}% without filters`);
    const pdf = await again.page.getByRole("link", { name: "PDF report" }).getAttribute("href");
    expect(pdf).to.match(/report\.pdf\?exclude_quotes=true&language=en&review=true$/);
    expect([...complaints, ...again.complaints]).to.deep.equal([]);
  });

  it("tells other filters from the kept ones, and brings these back", async () => {
    await engine.client.json("PATCH", `/v1/checks/${checkId}`, {
      review: { status: "confirmed", filters: { exclude_quotes: true } },
    });
    const { page, keep, quotes } = await open("?min_words=7");
    expect(await quotes.isChecked()).to.equal(false);
    expect(await keep.innerText()).to.equal("Keep");
    await page.getByRole("button", { name: "Show the kept ones" }).click();
    await page.waitForURL(({ search }) => !search.includes("min_words"));
    await expectSoon(() => quotes.isChecked(), true);
    await expectSoon(() => keep.innerText(), "Kept");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.waitForURL(({ search }) => search === "?filters=none");
    await expectSoon(() => quotes.isChecked(), false);
    await page.reload();
    await page.locator(".text").waitFor();
    await expectSoon(() => quotes.isChecked(), false);
  });

  it("is in the list of checks, which it restricts", async () => {
    await engine.client.json("PATCH", `/v1/checks/${checkId}`, { review: { status: "to_be_discussed" } });
    const { page } = await browser.open(`${engine.client.base}/checks`);
    await page.getByLabel("Decision").selectOption("to_be_discussed");
    const rows = page.locator(".rows > li");
    await rows.nth(1).waitFor({ state: "detached" });
    await rows.first().waitFor();
    expect(await rows.count()).to.equal(1);
    expect(await rows.first().innerText()).to.match(/To be discussed, \d+\.\d\d% as reviewed/);
  });

  it("fits a phone, and has no fault of accessibility in either scheme", async () => {
    const opened = await browser.open(`${engine.client.base}/checks/${checkId}`, {
      viewport: { width: 360, height: 740 },
    });
    await opened.page.locator(".review").waitFor();
    const overflow = await opened.page.evaluate<number>(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth",
    );
    expect(overflow).to.equal(0);
    expect(await faultsInBothSchemes(opened.page)).to.deep.equal([]);
  });

  it("adds the text to the corpus by one click, and leads to it", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Add to corpus" }).click();
    await page.getByRole("link", { name: "Open in the corpus" }).first().waitFor();
    const href = await page
      .locator(".title-actions a", { hasText: "Open in the corpus" })
      .getAttribute("href");
    const document = await engine.client.fingerprinted(href?.split("/").at(-1) ?? "");
    expect(document.title).to.equal("Essay");
  });
});
