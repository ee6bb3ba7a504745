import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { readSampleCorpus } from "../src/corpus/sample-corpus/read-sample-corpus.ts";
import { readConfig } from "../src/platform/config.ts";
import { createLoadStatistics } from "../src/statistics/load/load-statistics.ts";
import { loadSyntheticSet } from "../src/statistics/load/synthetic-set.ts";
import { CHROMIUM_MISSING, launchChromium } from "../test/support/browser/chromium.ts";
import { drawPdfReport, takeScreenshots } from "../test/support/browser/page-screenshots.ts";
import { EngineClient } from "../test/support/client.ts";
import { startTestService } from "../test/support/service.ts";
import { mochaGlobalTeardown } from "../test/support/stores.ts";
import { startTestStatistics } from "../test/support/use-statistics.ts";
import { addSampleWork } from "../test/support/work/sample-work.ts";
import { batchScenes } from "../tools/screenshots/batch-scenes.ts";
import { meaningScenes } from "../tools/screenshots/meaning-scenes.ts";

// Takes screenshots of every page, wide and on a phone, light and dark, from an engine of its own with sample documents and
// checks, and from the statistics of the synthetic set, on the stores of the tests.

const { values } = parseArgs({
  options: {
    out: { type: "string", default: join(import.meta.dirname, "..", ".data", "screenshots") },
    /** Takes only screenshots whose name contains this, or one of these between commas. */
    only: { type: "string", default: "" },
  },
});
const say = (line: string) => process.stderr.write(`${line}\n`);
const out = resolve(values.out);

/** Whether `--only` may name scenes of this group, whose names begin with it. */
function isWanted(group: string): boolean {
  return values.only.split(",").some((one) => group.includes(one) || one.startsWith(group));
}

const browser = await launchChromium();
if (browser === undefined) throw new Error(CHROMIUM_MISSING);
try {
  const sample = await readSampleCorpus({ cacheDir: join(readConfig({}).dataDir, "sample-corpus"), say });
  if (!sample.available) throw new Error(`Screenshots need the sample corpus: ${sample.reason}`);
  const engine = await startTestService();
  const fresh = await startTestService();
  const semantic = isWanted("meaning")
    ? await startTestService({ semantic: true, dataDir: readConfig({}).dataDir })
    : undefined;
  const statistics = await startTestStatistics();
  try {
    await loadSyntheticSet(createLoadStatistics({ database: statistics.database }));
    say("Loading documents and checks");
    const work = await addSampleWork(new EngineClient(engine.base), sample.articles);
    await mkdir(out, { recursive: true });
    const shooting = {
      browser,
      base: engine.base,
      emptyBase: fresh.base,
      statisticsBase: statistics.address,
      work,
      moreScenes: [
        ...(isWanted("batch") ? await batchScenes(engine.base, say) : []),
        ...(semantic === undefined ? [] : await meaningScenes(semantic.base, say)),
      ],
      folder: out,
      only: values.only.split(","),
      say,
    };
    await takeScreenshots(shooting);
    if (shooting.only.some((one) => "report-pdf".includes(one))) await drawPdfReport(shooting);
  } finally {
    await engine.stop();
    await fresh.stop();
    await semantic?.stop();
    await statistics.stop();
  }
} finally {
  await browser.close();
  await mochaGlobalTeardown();
}
