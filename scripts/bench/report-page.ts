import process from "node:process";
import { reportPageFigures } from "../../measure/benchmark/report-page-benchmark.ts";
import { CHROMIUM_MISSING, launchChromium } from "../../test/support/browser/chromium.ts";
import { EngineClient } from "../../test/support/client.ts";
import { startTestService } from "../../test/support/service.ts";
import { mochaGlobalTeardown } from "../../test/support/stores.ts";
import { addLongCheck } from "../../test/support/work/long-check.ts";

// Measures the report page with the longest text that a check takes and some 4,000 passages, in a real Chromium, over
// a service of its own on the stores of the tests.

const ROUNDS = 5;

const browser = await launchChromium();
if (browser === undefined) throw new Error(CHROMIUM_MISSING);
try {
  const service = await startTestService();
  try {
    process.stderr.write("Loading 40 documents and checking 500,000 characters\n");
    const { checkId } = await addLongCheck(new EngineClient(service.base));
    const figures = await reportPageFigures(browser, `${service.base}/checks/${checkId}`, ROUNDS);
    for (const { name, ms } of figures)
      process.stdout.write(`${name.padEnd(60)}${ms.toFixed(0).padStart(6)} ms\n`);
  } finally {
    await service.stop();
  }
} finally {
  await browser.close();
  await mochaGlobalTeardown();
}
