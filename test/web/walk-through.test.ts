import { expect } from "chai";
import type { Page } from "playwright-core";
import { extractText } from "../../src/extract/extract-text.ts";
import { makeDocx, paragraph } from "../extract/made-documents.ts";
import { useBrowser } from "../support/browser/use-browser.ts";
import { useEngine } from "../support/use-engine.ts";

/** The walk takes some 5 s of a machine that has nothing else to do. */
const TIMEOUT_MS = 180_000;

/** An examiner has five minutes; what the service and the clicks take must leave them for reading. */
const CLICKS_MAX = 10;

const MILLS = {
  title: "Tide Mills of the Western Coast",
  quoted:
    "A tide mill works twice in a day and twice in a night, and its miller keeps the hours of the moon, not those of the parish clock.",
  copied:
    "Behind the dam lay a pond of eleven acres, which filled through sluice gates of oak as the tide rose and was held there until the estuary had fallen by six feet or more.",
  reworded:
    "Most of the mills were given up after the railway had brought cheap flour from the inland towns, and within twenty years the ponds had silted up, the dams had broken and the wheels had been sold for their iron.",
};
const BREAD = {
  title: "Bread before Steam",
  quoted: "No loaf was sold in the town on a day of slack water, and nobody thought that strange.",
  reworded:
    "The baker paid the miller with every tenth sack of flour, and when the harvest was poor both of them went without, because neither was allowed to raise the price that the council had fixed at Michaelmas.",
};

/** The two paragraphs that the author has put into other words. */
const REWORDED = [
  "Most of these mills were abandoned after the railway had brought cheap flour from inland towns, and within about twenty years their ponds had silted up, the dams had burst and the wheels had been sold for iron.",
  "Bakers paid the miller with every tenth sack of flour, and when a harvest was poor both went without, since neither was allowed to raise the price that the council had fixed at Michaelmas.",
] as const;

const OWN = [
  "My great-aunt kept the keys of a mill that no longer turned, and as a child I was allowed to carry them on Sundays. This thesis began with her stories.",
  "I have walked the shore at low water with a measuring tape and a borrowed level. The foundations that I found are shorter than the plans in the archive say, and one of them is missing.",
  "What follows from this for the history of the harbour is less than I had hoped. The accounts name a carpenter, a smith and two labourers, but they do not say who decided.",
  "Three families still own a share of the quay, and each of them told me another reason for the quarrel of that summer.",
  "I could not find the account book of the second year. The archivist believes that it was lent to a school and never returned.",
  "In the end the sea took back what had been built against it, and the village turned to other work. Whoever looks for the mill today finds a car park with a view.",
] as const;

const SOURCES = [
  { ...MILLS, text: [MILLS.quoted, filler("dam", 5), MILLS.copied, filler("gate", 5), MILLS.reworded] },
  { ...BREAD, text: [filler("oven", 5), BREAD.quoted, filler("sack", 5), BREAD.reworded] },
];

/** Sentences that are only in a source. */
function filler(word: string, count: number): string {
  return Array.from(
    { length: count },
    (_, at) => `Entry ${at + 1} of the ${word} book lists repairs in the ${word} house for season ${at + 3}.`,
  ).join(" ");
}

/** The thesis: footnotes, two quotations, of which one names its source, a copied paragraph and two reworded ones. */
function thesis(): Buffer {
  const noted = (text: string, id: number) =>
    `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r><w:r><w:footnoteReference w:id="${id}"/></w:r></w:p>`;
  const note = (id: number, text: string) => `<w:footnote w:id="${id}">${paragraph(text)}</w:footnote>`;
  return makeDocx({
    properties: "<dc:title>Mills of the Moon</dc:title><dc:creator>Ada Lindqvist</dc:creator>",
    body: [
      paragraph("Mills of the Moon"),
      paragraph(OWN[0]),
      noted(`Their hours were strange: “${MILLS.quoted}” (Ostrander, 2004, p. 12).`, 1),
      noted(OWN[1], 2),
      paragraph(MILLS.copied),
      paragraph(OWN[2]),
      paragraph(REWORDED[0]),
      paragraph(OWN[3]),
      paragraph(`The town lived by the same hours. “${BREAD.quoted}”`),
      paragraph(OWN[4]),
      paragraph(REWORDED[1]),
      paragraph(OWN[5]),
    ].join(""),
    footnotes: [
      note(1, `R. Ostrander, ${MILLS.title} (Harbour Press, 2004), p. 12.`),
      note(2, "Measured on 3 April and 9 October, each time an hour after low water."),
    ].join(""),
  });
}

describe("an examiner's way from a student's file to a kept decision", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();

  before(async () => {
    for (const [at, { title, text }] of SOURCES.entries())
      await engine.client.addDocument(`source-${at}.txt`, text.join("\n\n"), { title });
  });

  it(`takes at most ${CLICKS_MAX} clicks, and leads past every kind of match to the PDF`, async () => {
    const { page, complaints } = await browser.open(engine.client.base);
    const walk = await Walk.begin(page);

    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      walk.step("Choose a file…", 0, () => page.getByText("Choose a file…").click()),
    ]);
    await walk.step("the file, in the browser's dialog", 1, () =>
      chooser.setFiles({ name: "lindqvist.docx", mimeType: "application/octet-stream", buffer: thesis() }),
    );
    const passage = (text: string) => page.locator(".text mark", { hasText: text.slice(0, 30) }).first();
    await walk.step("Check, until the report is shown", 0, async () => {
      await page.getByRole("button", { name: "Check", exact: true }).click();
      await passage(MILLS.copied).waitFor();
    });
    const shown = await page.locator(".report-head").innerText();
    expect(shown).to.include("lindqvist.docx").and.include("Mills of the Moon").and.include("Ada Lindqvist");
    for (const [at, text] of REWORDED.entries())
      await walk.step(`reworded paragraph ${at + 1}, until its source stands beside it`, 0, async () => {
        await passage(text).click();
        const source = at === 0 ? MILLS.reworded : BREAD.reworded;
        await page
          .locator(".comparison", { hasText: source.slice(0, 25) })
          .first()
          .waitFor();
      });
    const decision = page.getByLabel("Decision", { exact: true }).and(page.locator("select"));
    await walk.step("Decision, and “To be discussed” in its list", 1, async () => {
      await decision.click();
      await decision.selectOption("to_be_discussed");
    });
    const comment = "Two paragraphs follow their sources sentence by sentence, without a reference.";
    await walk.step("Comment, and typing", 0, async () => {
      await page.getByLabel("Comment", { exact: true }).click();
      await page.keyboard.type(comment);
    });
    await walk.step("Keep, until it is kept", 0, async () => {
      await page.getByRole("button", { name: "Keep", exact: true }).click();
      await page.getByRole("button", { name: "Kept", exact: true }).waitFor();
    });
    const bytes = await walk.step("PDF report, until it is saved", 0, async () => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "PDF report" }).click(),
      ]);
      const chunks: Buffer[] = [];
      for await (const chunk of await download.createReadStream()) chunks.push(chunk);
      return Buffer.concat(chunks);
    });
    process.stderr.write(walk.table());
    expect(walk.clicks).to.be.within(8, CLICKS_MAX);

    const checkId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    expect((await engine.client.check(checkId)).review).to.include({ status: "to_be_discussed", comment });
    const report = await engine.client.report(checkId);
    const found = (text: string) => {
      const passages = report.sources.flatMap((source) => source.passages);
      const points = [...report.query_text];
      return passages.find(({ query_start: start, query_end: end }) =>
        points.slice(start, end).join("").includes(text),
      );
    };
    expect(found(MILLS.quoted.slice(0, -1))?.match_group, "quoted with its source").to.equal(
      "quoted_and_cited",
    );
    expect(found(BREAD.quoted.slice(0, -1))?.match_group, "quoted without a source").to.equal(
      "quoted_without_source",
    );
    expect(found(MILLS.copied.slice(0, 60)), "copied").to.include({ match_type: "identical" });
    for (const text of REWORDED)
      expect(found(text.slice(40, 70)), "reworded")
        .to.have.property("match_type")
        .that.is.not.equal("identical");

    const options = { filename: "", accept: ["application/pdf"] as const, textCharsMax: 1_000_000 };
    const printed = (await extractText(bytes, options)).text.replaceAll(/\s+/g, " ");
    for (const part of ["Decision To be discussed, kept on", comment, "Mills of the Moon", "Ada Lindqvist"])
      expect(printed).to.include(part);
    expect(complaints).to.deep.equal([]);
  });
});

const LISTEN = 'addEventListener("pointerdown", () => countPress(), true)';

/** The steps of a walk with their clicks, as the pages see them, and their times. */
class Walk {
  readonly #steps: { readonly name: string; readonly clicks: number; readonly ms: number }[] = [];
  readonly #page: Page;
  #presses = 0;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async begin(page: Page): Promise<Walk> {
    const walk = new Walk(page);
    await page.exposeFunction("countPress", () => {
      walk.#presses += 1;
    });
    await page.addInitScript(LISTEN);
    await page.evaluate(LISTEN);
    return walk;
  }

  get clicks(): number {
    return this.#steps.reduce((sum, { clicks }) => sum + clicks, 0);
  }

  /** @param choices clicks in lists and dialogs of the browser itself, which no page sees */
  async step<T>(name: string, choices: number, work: () => Promise<T>): Promise<T> {
    const [startedAt, pressesBefore] = [performance.now(), this.#presses];
    const result = await work();
    const ms = performance.now() - startedAt;
    // Its answer comes after the calls of the page that were made before.
    await this.#page.evaluate(() => undefined);
    this.#steps.push({ name, clicks: this.#presses - pressesBefore + choices, ms });
    return result;
  }

  /** A line for each step: clicks, seconds and name, and their sums. */
  table(): string {
    const ms = this.#steps.reduce((sum, step) => sum + step.ms, 0);
    const rows = [...this.#steps, { name: "in all", clicks: this.clicks, ms }];
    return rows
      .map(
        (row) =>
          `      ${String(row.clicks).padStart(2)} ${(row.ms / 1000).toFixed(2).padStart(6)} s  ${row.name}\n`,
      )
      .join("");
  }
}
