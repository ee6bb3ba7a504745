import type { Page } from "playwright-core";
import type { Scene } from "../../test/support/browser/page-screenshots.ts";
import { EngineClient } from "../../test/support/client.ts";
import {
  GLASSWORKS,
  GLASSWORKS_REWORDED,
  GLASSWORKS_TRANSLATED,
  OWN_ENGLISH,
  OWN_GERMAN,
} from "../../test/support/work/glassworks.ts";

/** Checks a translated and a reworded passage, and gives the scenes of their comparison. @param base of an engine that compares meaning */
export async function meaningScenes(base: string): Promise<Scene[]> {
  const client = new EngineClient(base);
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
  await page.locator(".comparison .pairs").waitFor();
}
