import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { FILES_PATH, readBuiltPages } from "../../src/http/built-files.ts";
import { PAGES } from "../../src/web/pages.ts";
import { BatchClient } from "../batches/batch-client.ts";
import { useBrowser } from "../support/browser/use-browser.ts";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";

/** What all script and style of all pages together may take on the line: on a slow connection, under a second. */
const COMPRESSED_BYTES_MAX = 150_000;
const TIMEOUT_MS = 120_000;

const SOURCES = join(import.meta.dirname, "../../src/web/browser");

describe("the files of the pages", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();

  it("are small: script and style of all pages together", () => {
    const built = readBuiltPages();
    const files = new Set(
      PAGES.map(({ entry }) => built?.filesOf(entry)).flatMap((files) =>
        files === undefined ? [] : [files.script, ...files.styles, ...files.preloads],
      ),
    );
    const sizes = [...files].map(
      (url) => built?.file(url.slice(FILES_PATH.length))?.encodings.br.length ?? 0,
    );
    expect(Math.min(...sizes)).to.be.above(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.below(COMPRESSED_BYTES_MAX);
  });

  it("start one page only: no file imports the script of a page, which would start that page too", () => {
    const scripts = new Set<string>(PAGES.map(({ entry }) => entry));
    for (const name of readdirSync(SOURCES, { recursive: true, encoding: "utf8" })) {
      if (!/\.tsx?$/.test(name)) continue;
      const imports = readFileSync(join(SOURCES, name), "utf8").matchAll(/from "(\.[^"]+)"/g);
      const paths = [...imports].map(([, specifier = ""]) => join(dirname(name), specifier));
      expect(
        paths.filter((path) => scripts.has(path)),
        name,
      ).to.deep.equal([]);
    }
  });

  it("come from this instance alone, in few requests", async () => {
    const check = await engine.client.checked("A short text to look at.");
    const { document_id: id } = await engine.client.addDocument("one.txt", "A document.");
    const batches = new BatchClient(() => engine.client);
    const { batch, report } = await batches.compared([{ text: prose(1, 60) }, { text: prose(1, 60) }]);
    const [pair] = report.pairs;
    const batchPath = `/batches/${batch.batch_id}`;
    for (const path of [
      "/",
      "/compare",
      "/checks",
      `/checks/${check.check_id}`,
      "/batches",
      batchPath,
      `${batchPath}?view=clusters`,
      `${batchPath}?view=matrix`,
      `${batchPath}/pairs/${pair?.a.member_id}/${pair?.b.member_id}`,
      "/corpus",
      `/corpus/${id}`,
    ]) {
      const { page, complaints } = await browser.open(`${engine.client.base}${path}`);
      await page.waitForLoadState("networkidle");
      const loaded = await page.evaluate<readonly string[]>(
        "performance.getEntriesByType('resource').map(({ name }) => name)",
      );
      expect(
        loaded.filter((url) => !url.startsWith(engine.client.base)),
        path,
      ).to.deep.equal([]);
      expect(
        loaded.filter((url) => url.includes(FILES_PATH)),
        path,
      ).to.have.length.within(2, 11);
      expect(complaints, path).to.deep.equal([]);
    }
  });

  for (const { path, operation } of [
    { path: "/docs", operation: "#operations-Checks-submitCheck" },
    { path: "/redoc", operation: "h2" },
  ]) {
    it(`let ${path} work from files of this instance, under its policy`, async () => {
      const { page, complaints } = await browser.open(`${engine.client.base}${path}`);
      await page.locator(operation, { hasText: "Submit a text" }).first().waitFor();
      await page.waitForLoadState("networkidle");
      expect(complaints).to.deep.equal([]);
    });
  }
});
