import { expect } from "chai";
import type { Page } from "playwright-core";
import { CheckList } from "../../src/checks/api/schema.ts";
import { useBrowser } from "../support/browser/use-browser.ts";
import { useEngine } from "../support/use-engine.ts";

const TEXT = "We stayed at the harbour 👩🏽‍🎓. The ferry leaves at six.\n\nWe did not sleep much.";

const STORAGE_DENIED = `for (const name of ["sessionStorage", "localStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });`;

/** A browser does all of it anew for each test, on machines that have other things to do. */
const TIMEOUT_MS = 120_000;

describe("the page that submits a text", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();
  const open = () => browser.open(`${engine.client.base}/`);
  const textField = (page: Page) => page.getByRole("textbox", { name: "Text to check" });
  const total = async () => CheckList.parse(await (await engine.client.request("/v1/checks")).json()).total;

  it("counts characters while typing, and submits by keyboard", async () => {
    const { page, complaints } = await open();
    await textField(page).focus();
    await page.keyboard.insertText(TEXT);
    await page.getByText(`${[...TEXT].length} of 500,000 characters, 15 words`).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("A <b>title</b>");
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(/\/checks\/[0-9a-f-]{36}$/);
    const checkId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const check = await engine.client.ended(checkId);
    expect(check).to.include({ title: "A <b>title</b>", language: "en", char_count: [...TEXT].length });
    expect(check.word_count).to.equal(15);
    expect(complaints).to.deep.equal([]);
  });

  it("makes one check from a double click", async () => {
    const { page } = await open();
    const before = await total();
    await textField(page).fill(`${TEXT} Twice.`);
    await page.getByRole("button", { name: "Check", exact: true }).dblclick();
    await page.waitForURL(/\/checks\/./);
    expect(await total()).to.equal(before + 1);
  });

  it("keeps the draft across a reload until it is submitted", async () => {
    const { page } = await open();
    await textField(page).fill(TEXT);
    await page.getByLabel("Title").fill("Mine");
    await page.getByLabel("Language").selectOption({ label: "German" });
    await page.reload();
    expect(await textField(page).inputValue()).to.equal(TEXT);
    expect(await page.getByLabel("Title").inputValue()).to.equal("Mine");
    expect(await page.getByLabel("Language").inputValue()).to.equal("de");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.waitForURL(/\/checks\/./);
    await page.goto(engine.client.base);
    expect(await textField(page).inputValue()).to.equal("");
  });

  it("forgets a draft that is submitted before it was stored", async () => {
    const { page } = await open();
    await page.addInitScript("setInterval = () => 0");
    await page.reload();
    await textField(page).fill(`${TEXT} At once.`);
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(/\/checks\/./);
    await page.goto(engine.client.base);
    expect(await textField(page).inputValue()).to.equal("");
  });

  it("works in a browser without storage", async () => {
    const { page, complaints } = await open();
    await page.addInitScript(STORAGE_DENIED);
    await page.reload();
    await textField(page).fill(`${TEXT} Nothing is stored.`);
    await page.keyboard.press("Control+Enter");
    await page.waitForURL(/\/checks\/./);
    await page.getByRole("button", { name: "Shortcuts" }).click();
    await page.getByLabel("Enable the single-key shortcuts").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").count()).to.equal(0);
    expect(complaints).to.deep.equal([]);
  });

  it("keeps the text when the service can't be reached, and makes one check in the end", async () => {
    const { page } = await open();
    const before = await total();
    await textField(page).fill(`${TEXT} Offline.`);
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByRole("alert").getByText("You’re offline").waitFor();
    expect(await textField(page).inputValue()).to.equal(`${TEXT} Offline.`);
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.waitForURL(/\/checks\/./);
    expect(await total()).to.equal(before + 1);
  });

  it("makes no second check when a response was lost", async () => {
    const { page } = await open();
    const before = await total();
    await textField(page).fill(`${TEXT} The answer is lost.`);
    await page.route("**/v1/checks", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByRole("alert").getByText("Can’t reach the service").waitFor();
    await page.unroute("**/v1/checks");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.waitForURL(/\/checks\/./);
    expect(await total()).to.equal(before + 1);
  });

  it("says when to try again while a store is down", async () => {
    const { page } = await open();
    await page.route("**/v1/checks", (route) =>
      route.fulfill({
        status: 503,
        headers: { "Retry-After": "5", "Content-Type": "application/problem+json" },
        body: JSON.stringify({
          type: "/problems/store-unavailable",
          title: "Store unavailable",
          status: 503,
          detail: "PostgreSQL does not answer.",
        }),
      }),
    );
    await textField(page).fill(TEXT);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    const alert = page.getByRole("alert").filter({ hasText: "Store unavailable" });
    await alert.getByText("Try again in 5 seconds.").waitFor();
    expect(await textField(page).inputValue()).to.equal(TEXT);
  });

  it("rejects invalid input before sending it", async () => {
    const { page } = await open();
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByRole("alert").getByText("Paste a text or choose a file first.").waitFor();
    await textField(page).fill("a ".repeat(250_001));
    await page.getByText("2 characters over the limit").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByRole("alert").getByText("too long").waitFor();
    await page.locator("#file").setInputFiles({
      name: "large.pdf",
      mimeType: "application/pdf",
      buffer: Buffer.alloc(10 * 1024 * 1024 + 1),
    });
    await page.getByRole("alert").getByText("over the limit of 10 MiB").waitFor();
    expect(new URL(page.url()).pathname).to.equal("/");
  });

  it("checks a file instead of the text, and restores the text when the file is removed", async () => {
    const { page } = await open();
    await textField(page).fill("Typed before.");
    const file = { name: "<i>essay</i>.txt", mimeType: "text/plain", buffer: Buffer.from(TEXT) };
    await page.locator("#file").setInputFiles(file);
    await page.getByText("<i>essay</i>.txt", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    expect(await textField(page).inputValue()).to.equal("Typed before.");
    await page.locator("#file").setInputFiles(file);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.waitForURL(/\/checks\/./);
    const checkId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    expect((await engine.client.ended(checkId)).char_count).to.equal([...TEXT].length);
  });

  it("accepts a file dropped anywhere on the page", async () => {
    const { page } = await open();
    await page.evaluate(`(() => {
      const dropped = new DataTransfer();
      dropped.items.add(new File(["A text."], "dropped.txt"));
      const event = { dataTransfer: dropped, bubbles: true, cancelable: true };
      document.querySelector("h1").dispatchEvent(new DragEvent("drop", event));
    })()`);
    await page.getByText("dropped.txt", { exact: true }).waitFor();
  });

  it("shows the service's error for an unsupported file", async () => {
    const { page } = await open();
    await page.locator("#file").setInputFiles({
      name: "picture.png",
      mimeType: "image/png",
      buffer: Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"),
    });
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByRole("alert").getByText("Unsupported file type").waitFor();
  });

  it("says that the corpus is empty until it has a document", async () => {
    const { page } = await open();
    await page.getByText("The corpus is empty").waitFor();
    const primary = page.locator("main .primary");
    expect(await primary.allTextContents()).to.deep.equal(["Add documents"]);
    await engine.client.addDocument("one.txt", "A document to compare with.");
    await page.reload();
    await page.locator(".figure-number", { hasText: "1" }).waitFor();
    expect(await page.getByText("The corpus is empty").count()).to.equal(0);
    expect(await primary.allTextContents()).to.deep.equal(["Check"]);
  });

  it("says beside the button that only copied text is found while the search by meaning is off", async () => {
    await engine.client.addDocument("two.txt", "Another document to compare with.");
    const { page } = await open();
    await page.locator("form").getByText("translated and strongly reworded text is switched off").waitFor();
  });

  it("names no keys and no dropping of files on a phone", async () => {
    const { page } = await browser.open(`${engine.client.base}/`, { hasTouch: true, isMobile: true });
    await textField(page).waitFor();
    expect(await textField(page).getAttribute("placeholder")).to.equal("Paste or type your text");
    expect(await page.locator(".keys").isVisible()).to.equal(false);
  });
});
