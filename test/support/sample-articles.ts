import type { Context } from "mocha";
import { SAMPLE_CORPUS_DIR } from "../../measure/evaluation/texts/places.ts";
import { readSampleCorpus } from "../../src/corpus/sample-corpus/read-sample-corpus.ts";
import type { SampleArticle } from "../../src/corpus/sample-corpus/select-articles.ts";

/** The articles of the sample corpus. Without them the test is skipped, unless REQUIRE_ENCODER is 1: then pip fetches them, or the test fails. */
export async function sampleArticles(context: Context): Promise<readonly SampleArticle[]> {
  context.timeout(300_000);
  const isRequired = process.env.REQUIRE_ENCODER === "1";
  const corpus = await readSampleCorpus({
    cacheDir: SAMPLE_CORPUS_DIR,
    say: () => undefined,
    ...(isRequired ? {} : { pipCommands: [] }),
  });
  if (corpus.available) return corpus.articles;
  if (isRequired) throw new Error(`the sample corpus is missing: ${corpus.reason}`);
  console.log("      skipped: no sample corpus here; npm start fetches it");
  return context.skip();
}
