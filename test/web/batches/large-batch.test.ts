import { expect } from "chai";
import type { BrowserContextOptions } from "playwright-core";
import { textsIn } from "../../../src/http/languages/catalogues.ts";
import { BatchClient } from "../../batches/batch-client.ts";
import { expectSoon } from "../../support/browser/page-state.ts";
import { useBrowser } from "../../support/browser/use-browser.ts";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

const TIMEOUT_MS = 240_000;

const MEMBERS = 2_000;

/** In rings of 80, each of which shares text with all others: 3,160 pairs a ring. */
const RING = 80;
const PAIRS = (MEMBERS / RING) * ((RING * (RING - 1)) / 2);

describe("the page of a batch of 2,000 texts", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const browser = useBrowser();
  const batches = new BatchClient(() => engine.client);
  let path = "";

  before(async () => {
    const { batch } = await batches.compared([{ text: prose(1, 60) }], { title: "A large class" });
    await addRings(batch.batch_id);
    path = `/batches/${batch.batch_id}`;
  });

  const open = async (view: string, options: BrowserContextOptions = {}) => {
    const opened = await browser.open(`${engine.client.base}${path}?view=${view}`, {
      reducedMotion: "reduce",
      ...options,
    });
    await opened.page.locator(".tab-panel > *").first().waitFor();
    return opened;
  };

  for (const locale of ["en", "de"] as const)
    it(`says on the first screen of a laptop and a phone who shares most with whom, in ${locale}`, async () => {
      const { page } = await open("members", { locale });
      const { members, pairs } = await batches.graph(path.split("/").at(-1) ?? "");
      const nameOf = new Map(members.map(({ ordinal, name }) => [ordinal, name]));
      const lines = page.locator(".top-pairs .pair-line");
      for (const { shown, ...viewport } of [
        { width: 1_440, height: 900, shown: 5 },
        { width: 360, height: 740, shown: 4 },
      ]) {
        await page.setViewportSize(viewport);
        await page.evaluate("scrollTo(0, 0)");
        for (let at = 0; at < shown; at++) {
          const box = await lines.nth(at).boundingBox();
          expect((box?.y ?? Number.NaN) + (box?.height ?? 0), `pair ${at}`).to.be.at.most(viewport.height);
        }
      }
      for (let at = 0; at < 5; at++) {
        const names = await lines.nth(at).locator("bdi").allTextContents();
        expect(names).to.deep.equal([nameOf.get(pairs.a[at] ?? -1), nameOf.get(pairs.b[at] ?? -1)]);
        const [a, b] = await lines.nth(at).locator(".pct").allTextContents();
        const { percent } = textsIn(locale);
        expect([a, b]).to.deep.equal(
          [pairs.a_similarity_pct[at], pairs.b_similarity_pct[at]].map((pct) => percent(pct ?? 0)),
        );
      }
      await lines.first().click();
      await page.waitForURL(/\/pairs\//);
    });

  it("ranks the most similar pairs, and says how many there are", async () => {
    const { page, complaints } = await open("pairs");
    await page
      .getByText(`Only the 50,000 most similar of ${PAIRS.toLocaleString("en")} are shown.`)
      .waitFor();
    const file = await page.getByRole("link", { name: "All pairs as CSV" }).getAttribute("href");
    expect(file).to.match(/pairs\.csv\?.*min_similarity=0$/);
    const lines = (await (await engine.client.request(file ?? "")).text()).trim().split("\r\n");
    expect(lines).to.have.lengthOf(1 + PAIRS);
    expect(new Set(lines)).to.have.lengthOf(1 + PAIRS);
    expect(await page.locator(".batch-table tbody tr").count()).to.equal(50);
    await page.getByLabel("Name or group").fill("text 1999");
    await page
      .locator(".table-head")
      .getByText(/^\d\d pairs$/)
      .waitFor();
    expect(complaints).to.deep.equal([]);
  });

  it("draws large clusters as one point each, and one of them with its members", async () => {
    const { page } = await open("clusters");
    await page.getByText("25 clusters", { exact: true }).waitFor();
    await expectSoon(() => page.locator(".graph circle.node").count(), MEMBERS / RING);
    expect(await page.locator(".node-count").first().textContent()).to.equal(String(RING));
    await page
      .getByRole("button", { name: /^80 texts/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "Pairs of this cluster" }).waitFor();
    await expectSoon(() => page.locator(".graph circle.node").count(), RING);
    await page.getByRole("slider").fill("100");
    await page.getByText("No pairs of at least 100%").waitFor();
  });

  it("has a matrix of all clustered texts, which scrolls to the cell of the keyboard", async () => {
    const { page } = await open("matrix");
    await page.getByText("2,000 texts", { exact: true }).waitFor();
    const matrix = page.getByRole("application", { name: "Similarity matrix" });
    await matrix.focus();
    await page.keyboard.press("Control+End");
    await page.locator(".matrix-caption").getByText("the diagonal").waitFor();
    const scrolled = () => matrix.evaluate(({ scrollLeft, scrollTop }) => Math.min(scrollLeft, scrollTop));
    await expectSoon(async () => (await scrolled()) > MEMBERS, true);
  });

  it("lists all texts by pages", async () => {
    const { page } = await open("members");
    await page.getByText("1–50 of 2,000").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByText("51–100 of 2,000").waitFor();
  });

  /** Makes the only member 2,000, with pairs of all similarities in each ring: comparing so many would take minutes. */
  async function addRings(batchId: string): Promise<void> {
    const { database } = engine;
    await database.query(
      `with copies as (
         select ordinal, gen_random_uuid() as id from generate_series(1, $2::integer - 1) as ordinal),
       copied_checks as (
         insert into checks
         select (jsonb_populate_record(checks, jsonb_build_object('check_id', id))).*
           from checks, copies where batch_id = $1)
       insert into batch_members
       select (jsonb_populate_record(batch_members, jsonb_build_object(
                'member_id', id, 'check_id', id, 'ordinal', copies.ordinal, 'name', 'text ' || copies.ordinal,
                'compared_chars', 1000))).*
         from batch_members, copies where batch_id = $1`,
      [batchId, MEMBERS],
    );
    await database.query("update batch_members set compared_chars = 1000 where batch_id = $1", [batchId]);
    await database.query(
      `insert into batch_pairs (batch_id, a_id, b_id, a_matched, b_matched, passage_counts, longest_passages, passages)
       select $1, a.member_id, b.member_id, array_fill(matched, array[4]), array_fill(matched, array[4]), '{1,1,1,1}', array_fill(matched, array[4]), '[]'
         from batch_members as a join batch_members as b on a.ordinal < b.ordinal and a.ordinal / $2 = b.ordinal / $2,
              lateral (select 50 + (a.ordinal * 31 + b.ordinal * 17) % 900 as matched) as shared
        where a.batch_id = $1 and b.batch_id = $1`,
      [batchId, RING],
    );
  }
});
