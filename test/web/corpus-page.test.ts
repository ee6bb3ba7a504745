import { expect } from "chai";
import { expectSoon } from "../support/browser/page-state.ts";
import { useBrowser } from "../support/browser/use-browser.ts";
import { useEngine } from "../support/use-engine.ts";

const HOSTILE = "<script>document.title='broken'</script>";
const LONG_ADDRESS = `https://example.org/paper?a=1&b=${"2".repeat(60)}`;
const TIMEOUT_MS = 120_000;

describe("the pages of the corpus", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();
  const open = () => browser.open(`${engine.client.base}/corpus`);
  const text = (name: string, content: string | Buffer) => ({
    name,
    mimeType: "text/plain",
    buffer: Buffer.from(content),
  });

  it("shows an empty state before the first upload", async () => {
    const { page, complaints } = await open();
    await page.getByText("No uploads yet").waitFor();
    await page.getByText("an operator ingested are searched too").waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it("uploads several files at once; a rejected one shows its reason and does not stop the others", async () => {
    const { page } = await open();
    await page
      .locator("#files")
      .setInputFiles([
        text("one.txt", "The first document."),
        text("empty.txt", ""),
        text("picture.txt", Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1")),
        text(`${HOSTILE}.md`, "The second document."),
        text("three.txt", "The third document."),
      ]);
    await page.getByText("3 of 5 files ready, 2 not added").waitFor();
    const failed = page.getByRole("list", { name: "Files" }).getByRole("listitem");
    await failed.filter({ hasText: "empty.txt" }).getByText("This file is empty.").waitFor();
    await failed.filter({ hasText: "picture.txt" }).getByRole("alert").waitFor();
    await page.getByText("3 documents", { exact: true }).waitFor();
    await expectSoon(() => page.locator(".row").getByText("Searchable").count(), 3);
    expect(await page.title()).to.equal("Corpus · Similarity Check");
    await page.getByRole("button", { name: "Clear list" }).click();
    await page.getByRole("list", { name: "Files" }).waitFor({ state: "detached" });
  });

  it("says that a file is already in the corpus", async () => {
    const { page } = await open();
    await page.locator("#files").setInputFiles([text("again.txt", "The first document.")]);
    await page.getByText("Already in the corpus").waitFor();
  });

  it("offers to retry an upload that failed without a connection", async () => {
    const { page } = await open();
    await page.context().setOffline(true);
    await page.locator("#files").setInputFiles([text("later.txt", "Sent later.")]);
    const files = page.getByRole("list", { name: "Files" });
    await files.getByRole("alert").getByText("no connection").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try later.txt again" }).click();
    await page.getByText("1 of 1 file ready").waitFor();
  });

  it("states the service's own limit for a file that exceeds it", async () => {
    const { page } = await open();
    await page.locator("#files").setInputFiles([text("large.txt", Buffer.alloc(10 * 1024 * 1024 + 1, "a "))]);
    await page.getByText("1 not added").waitFor();
    expect(await page.getByRole("alert").textContent()).to.match(/10485760|10,485,760|10 MiB/);
  });

  it("shows the upload progress", async () => {
    const { page } = await open();
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    const limitUpload = (uploadThroughput: number) =>
      session.send("Network.emulateNetworkConditions", {
        ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput },
      });
    // So slow that it is seen under way on any machine; in full, it would take a quarter of a minute.
    await limitUpload(20_000);
    await page.locator("#files").setInputFiles([text("slow.txt", "A sentence of its own. ".repeat(12_000))]);
    await page.getByText(/Uploading, [1-9]\d?%/).waitFor();
    const bar = page.getByRole("progressbar", { name: "Upload of slow.txt" });
    expect(Number(await bar.getAttribute("value"))).to.be.within(1, 99);
    await limitUpload(-1);
    await page.getByText("1 of 1 file ready").waitFor();
  });

  it("searches, and links only web addresses", async () => {
    await engine.client.addDocument("paper.txt", "A paper that is published.", {
      title: "A published paper",
      source_url: LONG_ADDRESS,
    });
    const { page } = await open();
    await page.getByRole("searchbox").fill("published");
    await page.getByText("1 document with “published” in the title").waitFor();
    const link = page.getByRole("link", { name: LONG_ADDRESS });
    expect(await link.getAttribute("rel")).to.equal("noopener noreferrer");
    await page.setViewportSize({ width: 360, height: 740 });
    const lines = "getComputedStyle(document.querySelector('.row-url a')).whiteSpace";
    expect(await page.evaluate(lines)).to.equal("normal");
    expect((await link.boundingBox())?.height).to.be.above(30);
    await page.getByRole("link", { name: "A published paper" }).click();
    expect(await page.getByText("SHA-256").isVisible()).to.equal(false);
    await page.getByText("Technical details").click();
    await page.getByText("SHA-256").waitFor();
    await page.getByRole("heading", { name: "A published paper" }).waitFor();
    expect(await page.getByText("A paper that is published.").count()).to.equal(1);
    expect(await page.title()).to.equal("A published paper · Similarity Check");
  });

  it("shows a document's text as plain text, in its own reading direction", async () => {
    const { document_id: id } = await engine.client.addDocument(
      "mixed.txt",
      `${HOSTILE}\n<b>bold</b> & 👩🏽‍🎓`,
      { title: HOSTILE },
    );
    const { page, complaints } = await browser.open(`${engine.client.base}/corpus/${id}`);
    await page.getByRole("heading", { name: HOSTILE }).waitFor();
    expect(await page.locator(".document-text").textContent()).to.equal(`${HOSTILE}\n<b>bold</b> & 👩🏽‍🎓`);
    expect(await page.title()).to.equal(`${HOSTILE} · Similarity Check`);
    expect(complaints).to.deep.equal([]);
  });

  it("shows a long document completely, in blocks", async () => {
    const line = "A line of a very long document, and then another one that is like it.\n";
    const content = `${line.repeat(14_000)}This is the end of it.`;
    const { document_id: id } = await engine.client.addDocument("long.txt", content);
    const { page } = await browser.open(`${engine.client.base}/corpus/${id}`);
    await page.locator(".document-text").waitFor();
    await expectSoon(
      () => page.evaluate<number>("document.querySelector('.document-text').textContent.length"),
      content.length,
    );
    const last = page.locator(".text-block").last();
    await last.scrollIntoViewIfNeeded();
    expect(await last.textContent()).to.match(/This is the end of it\.$/);
    expect(await page.locator(".text-block").count()).to.be.above(200);
  });

  it("deletes after a confirmation, from the list and from the document's page", async () => {
    const { document_id: id } = await engine.client.addDocument("doomed.txt", "Doomed.", { title: "Doomed" });
    await engine.client.addDocument("doomed-2.txt", "Doomed as well.", { title: "Doomed too" });
    const { page } = await browser.open(`${engine.client.base}/corpus/${id}`);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(/\/corpus$/);
    await page.getByRole("button", { name: "Delete Doomed too" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "Doomed too" }).waitFor({ state: "detached" });
    await page.goto(`${engine.client.base}/corpus/${id}`);
    await page.getByRole("alert").getByText("Document not found").waitFor();
  });
});
