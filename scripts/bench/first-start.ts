import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readSampleCorpus } from "../../src/corpus/sample-corpus/read-sample-corpus.ts";
import { readConfig } from "../../src/platform/config.ts";
import { readCommand } from "../../src/platform/terminal/command.ts";
import { ServiceProcess } from "../../test/support/processes/service-process.ts";

const USAGE = `Usage: npm run bench:first-start

Starts the program as npm start does the first time, once everything is downloaded: with new stores, without a compiled program
and without pages. It deletes the pages of this checkout and builds them again, so no service may run from it meanwhile. It prints
the seconds until the sample corpus is loaded, and until a report names the article of a copied paragraph.`;

const LAUNCHER = fileURLToPath(new URL("../launch.mjs", import.meta.url));
const PAGES = fileURLToPath(new URL("../../dist/pages", import.meta.url));

/** The downloads of a first start, in the data folder. */
const DOWNLOADED = /^(opensearch-\d.*|sample-corpus|encoder)$/;

if ((await readCommand(USAGE, async (args) => parseArgs({ args }))) !== undefined) await run();

async function run(): Promise<void> {
  const { dataDir } = readConfig(process.env);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const sample = await readSampleCorpus({ cacheDir: join(dataDir, "sample-corpus"), say });
  if (!sample.available) throw new Error(`The benchmark needs the sample corpus: ${sample.reason}`);
  const article = sample.articles[100];
  const paragraph = article?.text.split("\n\n").find(({ length }) => length > 400);
  if (article === undefined || paragraph === undefined) throw new Error("article 100 has no long paragraph");

  const folder = join(dataDir, "bench", "first-start");
  await rm(folder, { recursive: true, force: true });
  try {
    await mkdir(folder, { recursive: true });
    const downloaded = (await readdir(dataDir)).filter((name) => DOWNLOADED.test(name));
    for (const name of downloaded)
      await cp(join(dataDir, name), join(folder, name), { recursive: true, preserveTimestamps: true });
    await rm(PAGES, { recursive: true, force: true });

    const startedAt = performance.now();
    const print = (reached: string) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      process.stdout.write(`${reached.padEnd(50)}${seconds.padStart(6)} s\n`);
    };
    const program = await ServiceProcess.start(
      { DATA_DIR: folder, NODE_COMPILE_CACHE: join(folder, "compiled"), SAMPLE_CORPUS: "on" },
      { nodeArguments: [], main: LAUNCHER, programArguments: ["start"] },
    );
    try {
      print("the sample corpus is loaded");
      const { sources } = await program.client.checked(paragraph);
      if (!sources.some(({ title }) => title === article.title))
        throw new Error(`the report does not name ${article.title}`);
      print("the first report names the source");
    } finally {
      await program.end("SIGTERM");
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
