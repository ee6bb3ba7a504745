import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readSampleCorpus } from "../../src/corpus/sample-corpus/read-sample-corpus.ts";
import { readConfig } from "../../src/platform/config.ts";
import { readCommand } from "../../src/platform/terminal/command.ts";
import { EngineClient } from "../../test/support/client.ts";
import { childEnvironment } from "../../test/support/processes/child-environment.ts";

const USAGE = `Usage: npm run bench:first-start

Starts the program as npm start does the first time, once everything is downloaded: with new stores, without a compiled program and without
pages (those of this checkout are deleted and built anew, so no service may run from it). Prints the seconds until the sample corpus is loaded, and until a report names the article of a copied paragraph.`;

const LAUNCHER = fileURLToPath(new URL("../launch.mjs", import.meta.url));
const PAGES = fileURLToPath(new URL("../../dist/pages", import.meta.url));

/** What a first start downloads, in the data folder. */
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
    const program = spawn(process.execPath, [LAUNCHER, "start"], {
      env: childEnvironment({
        DATA_DIR: folder,
        NODE_COMPILE_CACHE: join(folder, "compiled"),
        ENGINE_PORT: "0",
        STATISTICS_PORT: "0",
      }),
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const client = new EngineClient(await engineAddress(program, say));
      print("the sample corpus is loaded");
      const { sources } = await client.checked(paragraph);
      if (!sources.some(({ title }) => title === article.title))
        throw new Error(`the report does not name ${article.title}`);
      print("the first report names the source");
    } finally {
      await stop(program);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where the engine listens. @throws Error when the program ends before it serves */
async function engineAddress(program: ChildProcess, say: (line: string) => void): Promise<string> {
  if (program.stdout === null) throw new Error("the program's output is not read");
  for await (const line of createInterface({ input: program.stdout })) {
    say(line);
    const address = /^Engine:\s+(\S+)$/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error("the program ended before it served");
}

async function stop(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const exited = once(program, "exit");
  program.stdout?.resume();
  program.kill("SIGTERM");
  await exited;
}
