import type { Page } from "playwright-core";
import { CorpusCoverage } from "../../src/corpus/api/schema.ts";
import type { Scene } from "../../test/support/browser/page-screenshots.ts";
import { EngineClient } from "../../test/support/client.ts";
import {
  GLASSWORKS,
  GLASSWORKS_REWORDED,
  GLASSWORKS_TRANSLATED,
  OWN_ENGLISH,
  OWN_GERMAN,
} from "../../test/support/work/glassworks.ts";

/**
 * Checks a translated and a reworded passage, and gives the scenes of their comparison; none without the encoder.
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
  return scenes;
}

async function openSentencePairs(page: Page): Promise<void> {
  await page.locator(".text mark").first().waitFor();
  await page.keyboard.press("n");
  await page.locator(".comparison .sentence-pairs").waitFor();
}
