import { expect } from "chai";
import type { Page } from "playwright-core";
import { extractText } from "../../../src/extract/extract-text.ts";
import { makeDocx, paragraph } from "../../extract/made-documents.ts";
import { expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const TIMEOUT_MS = 180_000;

describe("notes and the PDF in a browser", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();
  const copied = [prose(1, 60), prose(2, 50), prose(3, 50)];
  const paragraphs = copied.flatMap((one, at) => [prose(11 + at, 40), one]);

  before(async () => {
    for (const [at, one] of copied.entries())
      await engine.client.addDocument(`source-${at}.txt`, [prose(21 + at, 60), one].join("\n\n"), {
        title: `Source ${at}`,
      });
  });

  const note = (page: Page) => page.getByLabel("Note", { exact: true });

  const openComparison = async () => {
    const checkId = await engine.client.submit(paragraphs.join("\n\n"), { title: "Essay" });
    await engine.client.ended(checkId);
    const opened = await browser.open(`${engine.client.base}/checks/${checkId}`);
    await opened.page.locator(".text mark").first().click();
    await note(opened.page).waitFor();
    return { ...opened, checkId };
  };

  it("lead in ten clicks from a student's DOCX to a kept decision and a PDF with two passages excluded and a note", async () => {
    const { page, complaints } = await browser.open(engine.client.base);
    const clicks: string[] = [];
    const click = async (name: string, target: { click(): Promise<void> }) => {
      clicks.push(`${clicks.length + 1}. ${name}`);
      await target.click();
    };
    const mark = (part: string) => page.locator(".text mark", { hasText: part.slice(0, 20) }).first();
    const file = makeDocx({ body: paragraphs.map(paragraph).join("") });
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      click("“Choose a file…”, and the DOCX in the browser’s dialog", page.getByText("Choose a file…")),
    ]);
    await chooser.setFiles({ name: "essay.docx", mimeType: "application/octet-stream", buffer: file });
    await click("“Check”", page.getByRole("button", { name: "Check", exact: true }));
    await click("the first passage in the text", mark(copied[0] ?? ""));
    await click("the field for its note, and typing", note(page));
    await page.keyboard.type("Quoted with its source in chapter 2.");
    await click("“Exclude passage”", page.getByRole("button", { name: "Exclude passage" }));
    await click("the second passage in the text", mark(copied[1] ?? ""));
    await click("“Exclude passage”", page.getByRole("button", { name: "Exclude passage" }));
    await page.getByText("2 excluded passages").waitFor();
    const decision = page.getByLabel("Decision", { exact: true }).and(page.locator("select"));
    await click("“Decision”, and “To be discussed” in its list", decision);
    await decision.selectOption("to_be_discussed");
    await click("“Keep”", page.getByRole("button", { name: "Keep", exact: true }));
    await page.getByRole("button", { name: "Kept", exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      click("“PDF report”", page.getByRole("link", { name: "PDF report" })),
    ]);
    process.stderr.write(`${clicks.map((one) => `      ${one}\n`).join("")}`);
    expect(clicks).to.have.lengthOf.at.most(10);

    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk);
    const options = { filename: "", accept: ["application/pdf"] as const, textCharsMax: 1_000_000 };
    const { text } = await extractText(Buffer.concat(chunks), options);
    expect(download.suggestedFilename()).to.equal("essay – similarity report.pdf");
    expect(text.replaceAll(/\s+/g, " ")).to.include("Decision To be discussed, kept on");
    const exclusions = text.replaceAll(/\s+/g, " ").split("Exclusions").at(-1) ?? "";
    expect(exclusions).to.include("Note: Quoted with its source in chapter 2.");
    for (const one of copied.slice(0, 2)) expect(exclusions).to.include(one.slice(0, 60));
    expect(exclusions).to.not.include(copied[2]?.slice(0, 60));
    const included = page.locator(".excluded-passages", { hasText: "Quoted with its source in chapter 2." });
    expect(await included.count()).to.equal(1);
    expect(complaints).to.deep.equal([]);
  });

  it("a note is saved while one types, is there again after a reload, and marks its passage", async () => {
    const { page, checkId, complaints } = await openComparison();
    await note(page).fill("First line\nsecond line");
    await page.getByText("Saved", { exact: true }).waitFor();
    expect((await engine.client.report(checkId)).notes.map((one) => one.note)).to.deep.equal([
      "First line\nsecond line",
    ]);
    await expectSoon(() => page.getByRole("link", { name: /with a note$/ }).count(), 1);
    await page.reload();
    await page.getByRole("link", { name: /with a note$/ }).waitFor();
    await expectSoon(() => note(page).inputValue(), "First line\nsecond line");
    await note(page).fill("");
    await page.getByText("Note removed").waitFor();
    expect((await engine.client.report(checkId)).notes).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  it("a note that can't be saved is kept, over a reload too, until it can", async () => {
    const { page, checkId } = await openComparison();
    await page.route("**/notes/**", (route) => route.abort());
    await note(page).fill("Written while the service is away");
    await page.getByText(/^Not saved\./).waitFor();
    await page.reload();
    await page.getByText(/^Not saved\./).waitFor();
    await expectSoon(() => note(page).inputValue(), "Written while the service is away");
    await page.unroute("**/notes/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    expect((await engine.client.report(checkId)).notes.map((one) => one.note)).to.deep.equal([
      "Written while the service is away",
    ]);
  });
});
