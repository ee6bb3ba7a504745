import type { Page } from "playwright-core";
import { CorpusCoverage } from "../../src/corpus/api/schema.ts";
import { BatchClient } from "../../test/batches/batch-client.ts";
import type { Scene } from "../../test/support/browser/page-screenshots.ts";
import { EngineClient } from "../../test/support/client.ts";
import {
  GLASSWORKS,
  GLASSWORKS_REWORDED,
  GLASSWORKS_TRANSLATED,
  OWN_ENGLISH,
  OWN_GERMAN,
} from "../../test/support/work/glassworks.ts";
import { LIGHTHOUSES, OTHER_LIGHTHOUSES } from "../../test/support/work/lighthouses.ts";

/**
 * Checks a translated and a reworded passage, and gives the scenes of their comparison, also of two texts and of a pair; none without
 * the encoder.
 * @param base of an engine that compares meaning
 */
export async function meaningScenes(base: string, say: (line: string) => void): Promise<Scene[]> {
  const client = new EngineClient(base);
  const coverage = CorpusCoverage.parse(await (await client.request("/v1/corpus/coverage")).json());
  if (coverage.semantic_coverage_reason === "unavailable") {
    say("No pictures of passages found by their meaning: the encoder is not available");
    return [];
  }
  const { document_id } = await client.addDocument("glass.txt", GLASSWORKS, { title: "Glass of the duchy" });
  await client.encoded([document_id]);
  const texts = [
    ["meaning-translated", [OWN_GERMAN, GLASSWORKS_TRANSLATED, OWN_GERMAN]],
    ["meaning-reworded", [OWN_ENGLISH, GLASSWORKS_REWORDED, OWN_ENGLISH]],
  ] as const;
  const scenes: Scene[] = [];
  for (const [name, paragraphs] of texts) {
    const checkId = await client.submit(paragraphs.join("\n\n"));
    await client.ended(checkId);
    scenes.push({ name, url: `${base}/checks/${checkId}`, prepare: openSentencePairs });
  }
  const lamps = await client.addDocument("lamps.txt", LIGHTHOUSES, { title: "Lamps of the north" });
  await client.encoded([lamps.document_id]);
  const other = await client.submit([OTHER_LIGHTHOUSES, OWN_ENGLISH].join("\n\n"));
  await client.ended(other);
  scenes.push({ name: "meaning-came-close", url: `${base}/checks/${other}`, prepare: openCameClose });
  const german = texts[0][1].join("\n\n");
  scenes.push({
    name: "meaning-compare",
    url: `${base}/compare`,
    prepare: (page) => compareInForm(page, german),
  });
  const { report } = await new BatchClient(() => client).compared([
    { name: "anna.txt", text: GLASSWORKS },
    { name: "ben.txt", text: german },
  ]);
  const [pair] = report.pairs;
  if (pair !== undefined)
    scenes.push({
      name: "meaning-pair",
      url: `${base}/batches/${report.batch_id}/pairs/${pair.a.member_id}/${pair.b.member_id}`,
      prepare: openPairedSentences,
    });
  return scenes;
}

async function openSentencePairs(page: Page): Promise<void> {
  await page.locator(".text mark").first().waitFor();
  await page.keyboard.press("n");
  await page.locator(".comparison .sentence-pairs").waitFor();
}

async function openCameClose(page: Page): Promise<void> {
  await page.locator(".text").waitFor();
  const summary = page.getByText("Documents that came close");
  if (!(await summary.isVisible())) await page.getByText("0 sources").click();
  await summary.click();
  await page.locator(".came-close li").first().waitFor();
}

async function compareInForm(page: Page, german: string): Promise<void> {
  await page.getByLabel("First text", { exact: true }).fill(german);
  await page.getByLabel("Second text", { exact: true }).fill(GLASSWORKS);
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await openPairedSentences(page);
}

async function openPairedSentences(page: Page): Promise<void> {
  await page.locator(".pair-texts mark").first().waitFor();
  await page.keyboard.press("n");
  await page.getByRole("button", { name: "Sentences", exact: true }).click();
  await page.locator(".sentence-pairs").waitFor();
  await page.locator(".pair-reading").scrollIntoViewIfNeeded();
}
