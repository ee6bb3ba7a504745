import { join } from "node:path";
import { expect } from "chai";
import type { BrowserContextOptions, Page } from "playwright-core";
import { makeDocx, makePdf, paragraph, wordPart } from "../../extract/made-documents.ts";
import { faultsInBothSchemes } from "../../support/browser/accessibility.ts";
import { expectFocus, expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const TIMEOUT_MS = 120_000;
const PROBES = join(import.meta.dirname, "..", "..", "support", "browser", "page-probes.js");
const PHONE = { width: 360, height: 740 };
const LAPTOP = { width: 1440, height: 900 };

const COPIED = prose(81, 90);
const OTHER = prose(82, 60);
const OWN_WORDS = 260;

/** Letters of Courier are 0.6 of its height wide, so the place of each is known. */
const COURIER = "<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>";
const HEIGHT = 6;
const LETTER = 0.6 * HEIGHT;
const LEADING = 9;
const LINE_CHARS = 60;
const COLUMN_LINES = 60;
const COLUMNS = [50, 320] as const;
const TOP = 740;

/** A page of two columns, and where each word stands: from the upper left corner, in points. */
function twoColumns(text: string) {
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last.length + word.length + 1 > LINE_CHARS) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  const placed = lines.map((content, at) => ({
    content,
    page: Math.floor(at / (2 * COLUMN_LINES)),
    x: COLUMNS[Math.floor(at / COLUMN_LINES) % 2] ?? 0,
    y: TOP - LEADING * (at % COLUMN_LINES),
  }));
  const pages = Array.from({ length: (placed.at(-1)?.page ?? 0) + 1 }, (_, page) =>
    placed
      .filter((one) => one.page === page)
      .map(({ content, x, y }) => `BT /F1 ${HEIGHT} Tf ${x} ${y} Td (${content}) Tj ET`)
      .join("\n"),
  );
  const words = placed.flatMap(({ content, page, x, y }) =>
    [...content.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
      word,
      page,
      left: x + index * LETTER,
      right: x + (index + word.length) * LETTER,
      middle: 792 - y - HEIGHT / 4,
    })),
  );
  return { pages, words };
}

/** The height of the map of matches, in its own unit. */
const MAP_ROWS = 400;

/** Waits until the part of the text that the map shows as visible is as it is meant to be. */
async function untilPart(page: Page, isMeant: (part: { y: number; height: number }) => boolean) {
  for (;;) {
    const part = await page.locator(".minimap .visible-part").evaluate((one) => ({
      y: Number(one.getAttribute("y")),
      height: Number(one.getAttribute("height")),
    }));
    if (isMeant(part)) return part;
    await page.waitForTimeout(20);
  }
}

describe("the original file of a check in a browser", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();

  before(async () => {
    await engine.client.addDocument("source.txt", `${prose(83, 60)} ${COPIED} ${prose(84, 60)}`, {
      title: "The source",
    });
    await engine.client.addDocument("other.txt", `${prose(85, 60)} ${OTHER}`, { title: "The other" });
  });

  const open = (checkId: string, after = "?view=original", options: BrowserContextOptions = {}) =>
    browser.open(`${engine.client.base}/checks/${checkId}${after}`, { reducedMotion: "reduce", ...options }, [
      PROBES,
    ]);

  describe("a PDF of two columns", () => {
    const drawn = twoColumns([prose(86, OWN_WORDS), COPIED, prose(87, 900), OTHER, prose(88, 90)].join(" "));
    let checkId = "";
    before(async () => {
      const content = makePdf({ pages: drawn.pages, font: COURIER });
      checkId = (await engine.client.checkedFile("paper.pdf", content)).check_id;
    });

    it("is shown as pages, with the marks upon exactly the copied words", async () => {
      const { page, complaints } = await open(checkId);
      await page.locator("canvas[data-drawn]").first().waitFor();
      await page.locator(".page-marks mark").first().waitFor();
      const boxes = await marks(page, 0);
      const isMarked = ({ left, right, middle }: (typeof drawn.words)[number]) =>
        boxes.some(
          (box) => box.left <= left + 1 && box.right >= right - 1 && box.top < middle && box.bottom > middle,
        );
      const copied = drawn.words.slice(OWN_WORDS, OWN_WORDS + COPIED.split(" ").length);
      expect(copied.map(({ word }) => word).join(" ")).to.equal(COPIED);
      expect(copied.filter((word) => !isMarked(word))).to.deep.equal([]);
      const own = drawn.words.filter((word) => word.page === 0 && !copied.includes(word));
      expect(own.filter(isMarked)).to.deep.equal([]);
      expect(own.length).to.be.above(300);
      expect(await hasInk(page), "the page is drawn").to.equal(true);
      expect(complaints).to.deep.equal([]);
    });

    it("opens the comparison from a mark and by keyboard, and goes through the passages on the pages", async () => {
      const { page } = await open(checkId, "");
      await page.getByRole("button", { name: "Pages" }).click();
      await page.locator(".page-marks mark").first().click();
      const comparison = page.getByRole("region", { name: /The source/ });
      await comparison.getByText("90 of 90 words match").waitFor();
      await page.waitForURL(/\?view=original#q/);
      await page.keyboard.press("Escape");
      await comparison.waitFor({ state: "hidden" });
      await expectFocus(page, /^Passage 1, identical/);
      await page.keyboard.press("n");
      await page.keyboard.press("n");
      await page.getByRole("region", { name: /The other/ }).waitFor();
      const chosen = page.locator(".page-marks mark.chosen").first();
      await chosen.waitFor();
      await expectSoon(async () => {
        const y = (await chosen.boundingBox())?.y ?? Number.NaN;
        return y >= 0 && y <= 900;
      }, true);
      await page.locator(".comparison").waitFor();
      await page.reload();
      await page.locator(".page-marks mark.chosen").first().waitFor();
      await page.getByRole("button", { name: "Text", exact: true }).click();
      const inText = async () => (await page.locator(".text mark.chosen").allTextContents()).join("");
      await expectSoon(async () => (await inText()).replaceAll(/\s+/g, " "), OTHER);
    });

    it("shows on the map which part of it is in view", async () => {
      const { page } = await open(checkId);
      await page.locator(".page-marks mark").first().waitFor();
      const part = await untilPart(page, ({ y, height }) => y === 0 && height > 0);
      await page.evaluate("scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })");
      await untilPart(page, ({ y, height }) => y > part.height && y + height > 0.9 * MAP_ROWS);
    });

    it("is drawn as sharp as the screen is, and again when the window changes", async () => {
      const { page } = await open(checkId, "?view=original", { deviceScaleFactor: 2 });
      const canvas = page.locator("canvas[data-drawn]").first();
      await canvas.waitFor();
      const ratio = () => canvas.evaluate((one) => Number(one.getAttribute("width")) / one.clientWidth);
      const untilSharp = async () => {
        while (Math.abs((await ratio()) - 2) > 0.01) await page.waitForTimeout(20);
      };
      await untilSharp();
      await page.setViewportSize({ width: 700, height: 900 });
      await untilSharp();
    });

    it("has the numbers of its passages beside the pages, where they hide nothing, and marks with patterns", async () => {
      const { page } = await open(checkId, "?view=original", { viewport: { width: 360, height: 740 } });
      await page.locator(".page-marks mark").first().waitFor();
      // On a phone, pages are wider at first, so that they can be read.
      await page.locator(".zoom-bar output", { hasText: "200%" }).waitFor();
      await page.getByRole("button", { name: "Fit width" }).click();
      await page.locator(".zoom-bar output", { hasText: "100%" }).waitFor();
      type Sides = { left: number; right: number };
      const places = await page.evaluate<{ numbers: Sides[]; paper: Sides }>(`({
        numbers: [...document.querySelectorAll(".page .number")].map((one) => one.getBoundingClientRect().toJSON()),
        paper: document.querySelector(".page").getBoundingClientRect().toJSON(),
      })`);
      expect(places.numbers.length).to.be.at.least(2);
      for (const { left, right } of places.numbers) {
        expect(right <= places.paper.left || left >= places.paper.right).to.equal(true);
        expect(left).to.be.at.least(0);
        expect(right).to.be.at.most(360);
      }
      // The ninth source has the first colour again, with a pattern.
      const mark = page.locator(".page-marks mark").first();
      const image = () =>
        mark.evaluate((one) => one.ownerDocument.defaultView?.getComputedStyle(one).backgroundImage);
      expect(await image()).to.equal("none");
      await mark.evaluate((one) => one.setAttribute("class", "c9"));
      expect(await image()).to.include("gradient");
    });

    it("has each number at the side of its own column", async () => {
      const { pages } = twoColumns([prose(86, OWN_WORDS), COPIED, prose(89, 220), OTHER].join(" "));
      const { check_id } = await engine.client.checkedFile("columns.pdf", makePdf({ pages, font: COURIER }));
      const { page } = await open(check_id);
      await page.locator(".page-marks mark").first().waitFor();
      const boxes = await marks(page, 0);
      const sides = await page.evaluate<string[]>(`(() => {
        const { left, right } = document.querySelector(".page").getBoundingClientRect();
        return [...document.querySelectorAll(".page .number")].map((one) => {
          const box = one.getBoundingClientRect();
          return box.right <= left ? "left" : box.left >= right ? "right" : "within";
        });
      })()`);
      expect(boxes.some(({ right }) => right < COLUMNS[1])).to.equal(true);
      expect(boxes.some(({ left }) => left > COLUMNS[1] - 5)).to.equal(true);
      expect(sides).to.deep.equal(["left", "right"]);
    });

    it("is enlarged and made smaller with buttons, and keeps its place in the window", async () => {
      const { page } = await open(checkId);
      await page.locator(".page-marks mark").first().waitFor();
      await page.evaluate("scrollTo({ top: 700, behavior: 'instant' })");
      const look = () =>
        page.evaluate<{ width: number; down: number; overflow: number }>(`(() => {
          const box = document.querySelector(".page").getBoundingClientRect();
          const overflow = document.documentElement.scrollWidth - innerWidth;
          return { width: box.width, down: (innerHeight / 2 - box.top) / box.height, overflow };
        })()`);
      const before = await look();
      await page.getByRole("button", { name: "Larger" }).focus();
      for (let time = 0; time < 3; time++) await page.keyboard.press("Enter");
      await page.getByText("200%").waitFor();
      await expectSoon(async () => {
        const { width, down, overflow } = await look();
        const isTwice = Math.abs(width / before.width - 2) < 0.01;
        return isTwice && Math.abs(down - before.down) < 0.005 && overflow === 0;
      }, true);
      await page.keyboard.press("n");
      const chosen = page.locator(".page-marks mark.chosen").first();
      await chosen.waitFor();
      await expectSoon(async () => {
        const [x, pages] = [
          (await chosen.boundingBox())?.x ?? Number.NaN,
          await page.locator(".pages").boundingBox(),
        ];
        return pages !== null && x >= pages.x && x <= pages.x + pages.width;
      }, true);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Fit width" }).click();
      await page.getByText("100%").waitFor();
      await expectSoon(async () => Math.abs((await look()).width - before.width) < 1, true);
      for (const name of ["Smaller", "Smaller"]) await page.getByRole("button", { name }).click();
      expect(await page.getByRole("button", { name: "Smaller" }).getAttribute("aria-disabled")).to.equal(
        "true",
      );
      await expectSoon(async () => Math.abs((await look()).width / before.width - 0.5) < 0.01, true);
    });

    it("draws only the pages near the window, of any number", async () => {
      const pages = Array.from(
        { length: 300 },
        (_, at) => `BT /F1 ${HEIGHT} Tf 72 700 Td (${prose(100 + at, 8)}) Tj ET`,
      );
      const { check_id } = await engine.client.checkedFile("long.pdf", makePdf({ pages, font: COURIER }));
      const { page } = await open(check_id);
      await page.locator("canvas[data-drawn]").first().waitFor();
      expect(await page.locator(".page").count()).to.equal(300);
      await page.locator(".original-note").waitFor({ state: "detached" });
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      await page.getByRole("img", { name: "Page 300" }).waitFor();
      await page.getByRole("img", { name: "Page 1", exact: true }).waitFor({ state: "detached" });
      await expectSoon(async () => (await page.locator("canvas").count()) <= 12, true);
    });
  });

  it("runs nothing that is in a PDF", async () => {
    const trailer = "/Info<</Title(x)>>";
    const annotations =
      "<</Type/Annot/Subtype/Link/Rect[0 0 612 792]/A<</S/JavaScript/JS(app.alert\\(1\\))>>>>" +
      "<</Type/Annot/Subtype/Link/Rect[0 0 612 792]/A<</S/URI/URI(javascript:document.title=1)>>>>" +
      "<</Type/Annot/Subtype/Widget/FT/Tx/T(f)/V(A value)/Rect[72 600 300 620]/AA<</F<</S/JavaScript/JS(app.alert\\(2\\))>>>>>>";
    const content = makePdf({ pages: [`BT /F1 12 Tf 72 700 Td (${COPIED}) Tj ET`], trailer, annotations });
    const { check_id } = await engine.client.checkedFile("script.pdf", content);
    const { page, complaints } = await open(check_id);
    page.on("dialog", () => expect.fail("a dialog was opened"));
    await page.locator("canvas[data-drawn]").waitFor();
    await page.locator(".page-marks mark").first().waitFor();
    expect(await page.locator(".pages :is(input, iframe, script, a:not(.number))").count()).to.equal(0);
    await page.locator(".page").click({ position: { x: 5, y: 300 } });
    expect(await page.title()).to.include("script.pdf");
    expect(complaints).to.deep.equal([]);
  });

  describe("a Word document", () => {
    const half = COPIED.length / 2;
    const cut = COPIED.indexOf(" ", half);
    const heading = (level: number, text: string) =>
      `<w:p><w:pPr><w:pStyle w:val="Heading${level}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const item = (text: string) =>
      `<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const body = [
      heading(1, "On lamps"),
      paragraph(prose(91, 40)),
      heading(3, "Keepers &amp; oil"),
      `<w:p><w:r><w:t xml:space="preserve">${COPIED.slice(0, cut)}</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">${COPIED.slice(cut)}</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`,
      item("Whale oil"),
      item("Paraffin"),
      `<w:tbl><w:tr>${cell("Year")}${cell("Lamps")}</w:tr><w:tr>${cell("1850")}${cell("Ninety of them")}</w:tr></w:tbl>`,
      paragraph(
        "&lt;img src=x onerror=&quot;document.title=1&quot;&gt; &lt;script&gt;document.title=2&lt;/script&gt;",
      ),
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>HYPERLINK "javascript:document.title=3"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>a field</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
    ].join("");
    const style = (level: number) =>
      `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`;
    const content = makeDocx({
      body,
      footnotes: `<w:footnote w:id="2">${paragraph(OTHER)}</w:footnote>`,
      related: [
        { type: "styles", name: "styles.xml", content: wordPart("styles", style(1) + style(3)) },
        {
          type: "numbering",
          name: "numbering.xml",
          content: wordPart(
            "numbering",
            `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
          ),
        },
      ],
    });
    let checkId = "";
    before(async () => {
      checkId = (await engine.client.checkedFile("essay.docx", content)).check_id;
    });

    it("is shown with its headings, lists, tables and notes, and marked where it was copied", async () => {
      const { page, complaints } = await open(checkId, "");
      await page.getByRole("button", { name: "Document" }).click();
      const word = page.locator(".word");
      await word.getByRole("heading", { name: "On lamps", level: 3 }).waitFor();
      await word.getByRole("heading", { name: "Keepers & oil", level: 4 }).waitFor();
      expect(await word.getByRole("listitem").allTextContents()).to.include.members([
        "Whale oil",
        "Paraffin",
      ]);
      expect(await word.getByRole("cell").allTextContents()).to.deep.equal([
        "Year",
        "Lamps",
        "1850",
        "Ninety of them",
      ]);
      const marked = await word.locator("mark").allTextContents();
      expect(marked.map((text) => text.trimEnd())).to.deep.equal([
        COPIED.slice(0, cut),
        COPIED.slice(cut),
        OTHER,
      ]);
      expect(await word.locator("strong").textContent()).to.equal(COPIED.slice(cut));
      expect(await word.locator("a.number").count()).to.equal(2);
      await word.locator("mark").last().click();
      await page.getByRole("region", { name: /The other/ }).waitFor();
      await page.keyboard.press("p");
      await page.getByRole("region", { name: /The source/ }).waitFor();
      await expectSoon(() => word.locator("mark.chosen").count(), 2);
      const address = await page.evaluate<string>("location.href");
      await word.getByRole("link", { name: "[1]" }).click();
      await expectSoon(() => page.evaluate("document.activeElement.id"), "footnote-2");
      expect(await page.evaluate("location.href")).to.equal(address);
      expect(complaints).to.deep.equal([]);
    });

    it("runs nothing that is in it, and leads nowhere", async () => {
      const { page } = await open(checkId);
      const word = page.locator(".word");
      await word.getByText("<script>document.title=2</script>").waitFor();
      expect(await word.locator(":is(script, img, iframe, input, style, form)").count()).to.equal(0);
      const targets = await word
        .locator("a")
        .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
      expect(targets.filter((target) => !/^(#(foot|end)note-|\?view=original#q)/.test(target))).to.deep.equal(
        [],
      );
      expect(await page.title()).to.include("essay.docx");
      const direct = await browser.open(`${engine.client.base}/v1/checks/${checkId}/original.html`);
      await direct.page.getByText("a field").click();
      expect(await direct.page.title()).to.equal("");
    });
  });

  describe("as pages and as a document", () => {
    const { pages } = twoColumns(`${prose(86, 60)} ${COPIED} ${prose(87, 300)}`);
    const wide = `<w:tbl><w:tr>${`<w:tc>${paragraph("Schifffahrtsgesellschaft")}</w:tc>`.repeat(8)}</w:tr></w:tbl>`;
    const files = [
      {
        name: `${"paper".repeat(30)}.pdf`,
        content: makePdf({ pages, font: COURIER }),
        mark: ".page-marks mark",
      },
      { name: "wide.docx", content: makeDocx({ body: paragraph(COPIED) + wide }), mark: ".word mark" },
    ];
    for (const { name, content, mark } of files) {
      let checkId = "";
      before(async () => {
        checkId = (await engine.client.checkedFile(name, content)).check_id;
      });
      for (const viewport of [PHONE, LAPTOP])
        it(`has no accessibility findings and keeps its layout: ${name.slice(-4)}, light or dark, ${viewport.width} wide`, async () => {
          const { page, complaints } = await open(checkId, "?view=original", { viewport });
          await page.locator(mark).first().waitFor();
          expect(await faultsInBothSchemes(page, "sticksOutOfPage")).to.deep.equal([]);
          expect(complaints).to.deep.equal([]);
        });
    }
  });

  it("is a download alone for a text file", async () => {
    const { check_id } = await engine.client.checkedFile("plain.txt", COPIED);
    const { page } = await open(check_id);
    await page.locator(".text mark").first().waitFor();
    expect(await page.getByRole("group", { name: "View" }).count()).to.equal(0);
    await page.getByRole("link", { name: "plain.txt" }).waitFor();
    await page
      .locator(".view-bar")
      .getByText(/^\d+ bytes$/)
      .waitFor();
  });
});

/** The marks of a page, in points from its upper left corner. */
function marks(page: Page, index: number) {
  return page.evaluate<readonly { left: number; right: number; top: number; bottom: number }[]>(`(() => {
    const page = document.querySelector('.page[data-page="${index}"]');
    const around = page.getBoundingClientRect();
    const scale = 612 / around.width;
    return [...page.querySelectorAll("mark")].map((mark) => {
      const { left, right, top, bottom } = mark.getBoundingClientRect();
      return {
        left: (left - around.left) * scale,
        right: (right - around.left) * scale,
        top: (top - around.top) * scale,
        bottom: (bottom - around.top) * scale,
      };
    });
  })()`);
}

/** Whether something dark is drawn on the first page. */
function hasInk(page: Page) {
  return page.evaluate<boolean>(`(() => {
    const canvas = document.querySelector("canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) if (data[at] < 100) return true;
    return false;
  })()`);
}
