import { expect } from "chai";
import type { Page } from "playwright-core";
import { expectFocus, expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const TIMEOUT_MS = 120_000;

const COPIED = prose(1, 60);
const QUOTED = prose(2, 30);
const SHARED = prose(3, 40);
const TEXT = [prose(11, 40), COPIED, `As they say, “${QUOTED}”.`, prose(12, 40), SHARED, prose(13, 30)].join(
  "\n\n",
);

describe("the report in a browser", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();

  before(async () => {
    const { client } = engine;
    const [beginning, end] = [prose(21, 80), prose(22, 80)];
    await client.addDocument("first.txt", [beginning, COPIED, end, SHARED].join("\n\n"), {
      title: "First source",
      source_url: "https://example.org/first",
    });
    await client.addDocument("second.txt", [prose(23, 50), SHARED].join("\n\n"), { title: "Second source" });
    await client.addDocument("quoted.txt", [prose(24, 50), QUOTED].join("\n\n"), { title: "Quoted source" });
  });

  const openReport = async (query = "") => {
    const checkId = await engine.client.submit(TEXT, { title: "Seminar paper" });
    await engine.client.ended(checkId);
    const opened = await browser.open(`${engine.client.base}/checks/${checkId}${query}`);
    await opened.page.locator(".text").waitFor();
    return { ...opened, checkId };
  };

  it("leads by mouse from a text to its report, a comparison, a filter and an export", async () => {
    const { page, complaints } = await browser.open(engine.client.base);
    await page.getByLabel("Text to check").fill(TEXT);
    await page.getByLabel("Title").fill("My paper");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByRole("heading", { name: "My paper" }).waitFor();
    await page.getByText(/[\d,]+ of [\d,]+ characters match 3 sources\./).waitFor();

    await page.locator(".text mark").first().click();
    const comparison = page.getByRole("region", { name: /First source/ });
    await comparison.getByText("60 of 60 words match").waitFor();
    const sides = comparison.locator(".compared");
    expect(await sides.allTextContents()).to.deep.equal([COPIED, COPIED]);
    await comparison.getByRole("button", { name: "Why?" }).click();
    await comparison.getByText("The source has the same 60 words in the same order.").waitFor();
    await comparison.getByText("Figures").click();
    await comparison.getByText(/of the words on both sides match/).waitFor();
    await comparison.getByRole("button", { name: "Close" }).click();
    await comparison.waitFor({ state: "hidden" });

    await page.getByLabel("Exclude quotations").check();
    await page.getByText(/^Filtered: [\d.]+% \([\d.]+% without filters\)$/).waitFor();
    await page.getByText("Filtered matches have a grey outline").waitFor();
    const shadow = await page
      .locator(".text .excluded")
      .first()
      .evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).boxShadow);
    expect(shadow).to.include("inset");
    const html = await downloaded(page, "Report as HTML");
    expect(html.name).to.match(/\.html$/);
    const checkId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { overall_similarity_pct } = await engine.client.report(checkId, "?exclude_quotes=true");
    const json = JSON.parse((await downloaded(page, "Report as JSON")).content);
    expect(json.overall_similarity_pct).to.equal(overall_similarity_pct);
    expect((await downloaded(page, "Passages as CSV")).content)
      .to.include("First source")
      .and.not.include("Quoted source");
    expect(complaints).to.deep.equal([]);
  });

  it("can be read by keyboard alone", async () => {
    const { page, complaints } = await openReport();
    const position = page.locator(".passage-bar p");
    await position.getByText("4 passages").waitFor();
    await page.keyboard.press("n");
    await position.getByText("Passage 1 of 4").waitFor();
    await page.keyboard.press("n");
    await page.keyboard.press("n");
    await page.keyboard.press("p");
    await position.getByText("Passage 2 of 4").waitFor();
    await page.getByRole("region", { name: /Quoted source/ }).waitFor();

    await page.keyboard.press("Escape");
    await page.locator(".comparison").waitFor({ state: "detached" });
    await expectFocus(page, /^Passage 2, identical, source \d: Quoted source$/);
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: /Quoted source/ }).waitFor();
    await expectFocus(page, /^\dSource \d: Quoted source$/);

    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.getByLabel("Enable the single-key shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("n");
    await position.getByText("Passage 2 of 4").waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it("shows every source of a passage, and a chosen source alone", async () => {
    const { page } = await openReport();
    const shared = page.locator(".text mark", { hasText: SHARED.slice(0, 40) });
    expect(await shared.evaluate((mark) => mark.previousElementSibling?.childElementCount)).to.equal(2);
    await shared.click();
    await page.getByText("Also in:").waitFor();
    await page.locator(".other-sources").getByRole("button", { name: "Second source" }).click();
    await page.getByRole("region", { name: /Second source/ }).waitFor();
    await page.keyboard.press("Escape");

    const colours = () =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll(".text .number")].map((one) => getComputedStyle(one, "::before").backgroundColor)`,
      );
    const coloured = await colours();
    const choice = page.getByRole("button", { name: /^Second source|Second source/ }).first();
    await choice.click();
    await page.locator(".passage-bar p").getByText("1 passage").waitFor();
    expect(await colours(), "the numbers of other sources stay coloured").to.deep.equal(coloured);
    expect(await page.locator(".text mark:not(.faint)").allTextContents()).to.deep.equal([SHARED]);
    await page.keyboard.press("Escape");
    await page.locator(".passage-bar p").getByText("4 passages").waitFor();
    expect(await page.locator(".text mark.faint").count()).to.equal(0);
  });

  it("recomputes the report for each filter, and keeps filters and passage in the address", async () => {
    const { page, checkId } = await openReport();
    await page.getByRole("checkbox", { name: "Include source 1" }).uncheck();
    await page.getByText("excluded", { exact: true }).waitFor();
    await page.getByLabel("Minimum passage length").fill("35");
    await page.keyboard.press("Enter");
    await page.locator(".passage-bar p").getByText("1 passage").waitFor();
    expect(await page.locator(".text .excluded").count()).to.be.above(1);
    await page.getByRole("button", { name: "Clear filters" }).focus();
    await page.keyboard.press("n");
    await page.getByRole("region", { name: /Second source/ }).waitFor();
    await page.waitForURL(/#q/);

    const link = page.url();
    const again = await browser.open(link);
    await again.page.getByRole("region", { name: /Second source/ }).waitFor();
    await again.page.locator(".passage-bar p").getByText("Passage 1 of 1").waitFor();
    expect(await again.page.getByLabel("Minimum passage length").inputValue()).to.equal("35");
    expect(await again.page.locator(".text mark.chosen").textContent()).to.equal(SHARED);

    await again.page.goto(link.replace(/\?[^#]*/, ""));
    await again.page.getByRole("region", { name: /Second source/ }).waitFor();
    await again.page.locator(".passage-bar p").getByText("Passage 4 of 4").waitFor();

    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.locator(".score").getByText("Filtered").waitFor({ state: "detached" });
    await page.goBack();
    await page.locator(".score").getByText("Filtered").waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/checks/${checkId}`);
  });

  it("excludes a single passage, says so, and brings it back", async () => {
    const { page } = await openReport();
    const score = async () => page.locator(".score-number").textContent();
    const before = await score();
    await page.locator(".text mark").first().click();
    await page.getByRole("button", { name: "Exclude passage" }).click();
    const excluded = page.getByRole("region", { name: "1 excluded passage" });
    await excluded.getByText("First source").waitFor();
    await page.getByText(/^Filtered: [\d.]+%/).waitFor();
    expect(await score()).not.to.equal(before);
    await page.waitForURL(({ search }) => /^\?exclude_passages=\d+-\d+-[0-9a-f-]{36}$/.test(search));
    await page.reload();
    await excluded.getByRole("button", { name: "Include again" }).click();
    await excluded.waitFor({ state: "hidden" });
    await page.getByText(/^Filtered:/).waitFor({ state: "hidden" });
    await expectSoon(score, before);
  });

  it("opens a link to a place without matches under the current filters", async () => {
    const { page } = await openReport();
    await page.keyboard.press("n");
    await page.waitForURL(/#q/);
    const link = page.url();
    const { page: filtered } = await browser.open(link.replace("#", "?match_types=paraphrased#"));
    await filtered.locator(".score").getByText("Filtered").waitFor();
    expect(await filtered.locator(".comparison").count()).to.equal(0);
    expect(await filtered.locator(".text .excluded").first().textContent()).to.equal(COPIED);
  });

  it("continues through all passages when filters leave nothing of the chosen source", async () => {
    const { page } = await openReport();
    const second = page.locator(".source", { hasText: "Second source" });
    await second.locator(".source-choice").click();
    await page.keyboard.press("n");
    const position = page.locator(".passage-bar p");
    await position.getByText("Passage 1 of 1").waitFor();
    await second.getByRole("checkbox").uncheck();
    await position.getByText("Passage 3 of 3").waitFor();
    await page.getByRole("region", { name: /First source/ }).waitFor();
    expect(await page.locator(".text mark.faint").count()).to.equal(0);
    await page.keyboard.press("n");
    await position.getByText("Passage 1 of 3").waitFor();
  });

  it("loads the source again after a failure", async () => {
    const { page } = await openReport();
    await page.route("**/sources/*/text?*", (route) => route.abort());
    await page.keyboard.press("n");
    const comparison = page.locator(".comparison");
    await comparison.getByText("Can’t reach the service").waitFor();
    await page.unroute("**/sources/*/text?*");
    await comparison.getByRole("button", { name: "Try again" }).click();
    await comparison.getByText("60 of 60 words match").waitFor();
  });

  it("renames the check in place, by keyboard", async () => {
    const { page, checkId } = await openReport();
    await page.getByRole("button", { name: "Rename" }).press("Enter");
    await page.keyboard.type("Second <b>draft</b>");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Second <b>draft</b>" }).waitFor();
    await expectFocus(page, "Rename");
    expect((await engine.client.check(checkId)).title).to.equal("Second <b>draft</b>");
    expect(await page.title()).to.equal("Second <b>draft</b> · Similarity Check");
  });

  it("offers rarely used actions in a menu, which a choice, Escape and a click elsewhere close", async () => {
    const { page } = await openReport();
    const menu = page.getByText("More", { exact: true });
    const choice = page.getByRole("button", { name: "Check in another language" });
    await menu.press("Enter");
    await choice.waitFor();
    await page.keyboard.press("Escape");
    await choice.waitFor({ state: "hidden" });
    await expectFocus(page, "More");
    await menu.click();
    await page.locator(".facts").click();
    await choice.waitFor({ state: "hidden" });
    await menu.click();
    await choice.click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await choice.waitFor({ state: "hidden" });
    await expectFocus(page, "More");
  });

  it("scrolls to the clicked place of the map", async () => {
    const { page } = await openReport();
    const map = page.locator(".minimap svg");
    expect(await map.getAttribute("aria-label")).to.match(/of each tenth of the text: \d+%(, \d+%){9}$/);
    await page.setViewportSize({ width: 1200, height: 400 });
    const box = await map.boundingBox();
    if (box === null) throw new Error("the map is on the page");
    await map.click({ position: { x: 5, y: box.height - 3 } });
    const last = page.locator(".block").last();
    const end = () => last.evaluate((block) => block.getBoundingClientRect().bottom);
    while ((await end()) > 400) await page.waitForTimeout(20);
  });
});

async function downloaded(page: Page, name: string) {
  await page.getByText("More", { exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name, exact: true }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(chunk);
  return { name: download.suggestedFilename(), content: Buffer.concat(chunks).toString("utf8") };
}
