import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import fc from "fast-check";
import { type CorpusContents, readContents } from "../corpus/ingest/folder/corpus-contents.ts";
import { prose } from "../support/work/prose.ts";
import { IngestProcess, useIngest } from "./ingest-process.ts";

/** 3,230 texts of 4.5 KB on average. */
const PAN13 = fileURLToPath(new URL("../../../shared/data/pan13/train.tar.xz", import.meta.url));

/** Kills over the small tree, of a first load and of an update each; and over the real one, where a person asks for it. */
const KILLS = 2;
const LONG_KILLS = Number(process.env.INGEST_KILLS ?? 0);

/** Signals within a second count as one. */
const SAME_SIGNAL_MS = 1_100;

/** Before this share of its time a run has hardly begun to work. */
const KILL_FROM = 0.3;

describe("the command that ingests a folder", () => {
  let place: string;
  const { made, ...commands } = useIngest();

  before(async () => {
    place = await mkdtemp(join(tmpdir(), "ingest-"));
    await write("first", { ...texts(0, 500), "same.md": prose(5_000, 900) });
    // Of the first 500: 100 gone, 100 changed, 300 as they were; and 100 new ones.
    await write("second", {
      ...texts(0, 300),
      ...texts(300, 400, 1),
      ...texts(500, 600),
      "same.md": prose(5_000, 900),
    });
  });
  after(() => rm(place, { recursive: true }));

  async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(place, folder, path)), { recursive: true });
      await writeFile(join(place, folder, path), content);
    }
  }

  const start = (...args: readonly string[]) => commands.start("ingest", ...args);
  const run = (...args: readonly string[]) => commands.run("ingest", ...args);

  function contents(name: string): Promise<CorpusContents> {
    return readContents(made.corpus, `folder:${name}`);
  }

  async function forget(name: string): Promise<void> {
    await made.corpus.database.query("delete from documents where collection = $1", [`folder:${name}`]);
    await made.corpus.cleanUpTombstones();
  }

  it("prints its result as JSON in the last line, and all else on the standard error", async () => {
    await write("small", { "a.txt": prose(1, 300), "b.txt": prose(2, 30) });
    const { result } = await run(join(place, "small"));
    expect(result).to.include({ added: 2, replaced: 0, unchanged: 0, removed: 0, failed: 0 });
    const again = start(join(place, "small"), "--json", "--language", "EN", "--prune");
    expect(await again.ended()).to.equal(0);
    expect(again.stdout).to.match(
      /^\{"added":0,"replaced":0,"unchanged":2,"removed":0,"failed":0,"chunks":0,"seconds":[\d.]+,"languages":\[\],"semantic_backlog":(null|\{.*\})\}\n$/,
    );
    expect(again.stderr).to.include(
      "0 added, 0 replaced, 2 unchanged, 0 removed, 0 failed; 0 chunks written",
    );
  }).timeout(600_000);

  it("ends with a table of what failed and why, and with status 1", async () => {
    await write("bad", { "a.txt": prose(3, 30), "empty.txt": "", "sub/page.pdf": "<html></html>" });
    const command = start(join(place, "bad"));
    expect(await command.ended()).to.equal(1);
    const [heading, first, second, summary] = command.stdout.split("\n");
    expect(heading).to.equal("Not in the corpus:");
    expect([first, second].toSorted()).to.deep.equal([
      "empty.txt     The file is empty (0 bytes).",
      "sub/page.pdf  The file is an HTML page. Types that can be read: PDF, DOCX, plain text (TXT), Markdown, HTML, JATS or TEI (XML), RTF, LaTeX, OpenDocument (ODT), EPUB, and PPTX.",
    ]);
    expect(summary).to.match(/^1 added, .* 2 failed; 1 chunks written in \d+\.\d s$/);
  }).timeout(600_000);

  it("ends with status 1, and removes nothing, when --prune finds no file where there were some", async () => {
    await write("mount", { "a.txt": prose(4, 30) });
    const mount = [join(place, "mount"), "--collection", "mount"];
    await run(...mount);
    await rm(join(place, "mount", "a.txt"));
    const command = start(...mount, "--prune", "--json");
    expect(await command.ended()).to.equal(1);
    expect(command.stderr).to.include("--allow-empty");
    expect((await contents("mount")).files.size).to.equal(1);
    const { result } = await run(...mount, "--prune", "--allow-empty");
    expect(result).to.include({ unchanged: 0, removed: 1 });
  }).timeout(600_000);

  for (const [args, message] of [
    [[], "No folder is given."],
    [["a", "b"], "Only one folder at a time"],
    [["--loud", "a"], "Unknown option '--loud'"],
    [["/", "--language", "xx"], "--language must be an ISO 639-1 code"],
    [["/", "--collection", "a b"], "A collection name consists of"],
    [["/", "--allow-empty"], "--allow-empty requires --prune"],
    [["/no-such-folder"], "It does not exist."],
  ] as const) {
    it(`rejects \`${args.join(" ")}\` with status 2, before it connects to a store`, async () => {
      const command = new IngestProcess(args, { DATABASE_URL: "postgres://nobody@127.0.0.1:1/nothing" });
      expect(await command.ended()).to.equal(2);
      expect(command.stderr).to.include(message).and.include("Usage: npm run ingest -- FOLDER");
      expect(command.stdout).to.equal("");
    });
  }

  it("stops at Ctrl-C, says so at once, and that the next run continues", async () => {
    const command = start(join(place, "first"), "--collection", "stopped");
    await documentsAppear("folder:stopped");
    command.kill("SIGINT");
    await command.says(
      /Stopping: finishing \d+ files that were begun\. Press Ctrl-C again to stop at once\.\n/,
    );
    expect(await command.ended()).to.equal(130);
    expect(command.stderr).to.match(/Stopped\. Run the same command again to continue where it stopped\.\n$/);
    expect(command.stdout).to.equal("");
    await forget("stopped");
  }).timeout(600_000);

  it("ends at once at a second Ctrl-C, and the next run has everything", async () => {
    const command = start(join(place, "first"), "--collection", "twice");
    await documentsAppear("folder:twice");
    // The lock that its writes need, so that it can't come to the end of them.
    await made.corpus.database.transaction(async (transaction) => {
      await transaction.query("lock table document_chunks in access exclusive mode");
      command.kill("SIGINT");
      await command.says(/Press Ctrl-C again/);
      await sleep(SAME_SIGNAL_MS);
      command.kill("SIGINT");
      expect(await command.ended()).to.equal(130);
    });
    await run(join(place, "first"), "--collection", "twice");
    expect((await contents("twice")).files.size).to.equal(501);
    await forget("twice");
  }).timeout(600_000);

  it("loads the same corpus, chunk for chunk, when it was killed at any moment and runs again", async function () {
    this.timeout(600_000);
    const first = join(place, "first");
    const second = join(place, "second");
    const firstRun = await run(first, "--collection", "calm");
    const firstContents = await contents("calm");
    expect(firstContents.files.size).to.equal(501);
    const secondRun = await run(second, "--collection", "calm", "--prune");
    expect(secondRun.result).to.include({ added: 100, replaced: 100, unchanged: 301, removed: 100 });
    const secondContents = await contents("calm");

    for (const [kill, share] of shares(KILLS).entries()) {
      const name = `killed-${kill}`;
      await commands.runKilled(share, firstRun.tookMs, "ingest", first, "--collection", name);
      expect(await contents(name), `killed at ${share}`).to.deep.equal(firstContents);
      await commands.runKilled(share, secondRun.tookMs, "ingest", second, "--collection", name, "--prune");
      expect(await contents(name), `killed at ${share} of the second`).to.deep.equal(secondContents);
      await forget(name);
    }
  });

  it("does so with 3,230 real texts", async function () {
    if (LONG_KILLS === 0) {
      console.log("      set INGEST_KILLS to the number of kills: skipped");
      this.skip();
    }
    if (!existsSync(PAN13)) {
      if (process.env.REQUIRE_SHARED_DATA === "1") throw new Error(`the shared texts are missing: ${PAN13}`);
      console.log("      the shared texts are not here: skipped");
      this.skip();
    }
    this.timeout(120_000 + LONG_KILLS * 60_000);
    await promisify(execFile)("tar", ["-xJf", PAN13, "-C", place]);
    const tree = join(place, "pan13-train", "src");
    const calm = await run(tree, "--collection", "calm-long");
    expect(calm.result).to.include({ added: 3_230, failed: 0 });
    const undisturbed = await contents("calm-long");
    for (const share of shares(LONG_KILLS)) {
      await commands.runKilled(share, calm.tookMs, "ingest", tree, "--collection", "killed-long");
      expect(await contents("killed-long"), `killed at ${share}`).to.deep.equal(undisturbed);
      await forget("killed-long");
    }
  });

  async function documentsAppear(collection: string): Promise<void> {
    for (;;) {
      const rows = await made.corpus.database.query("select 1 from documents where collection = $1 limit 1", [
        collection,
      ]);
      if (rows.length > 0) return;
      await sleep(10);
    }
  }
});

/** Files number `from` to `to`, each with a text of its own, and another one in each edition. */
function texts(from: number, to: number, edition = 0): Record<string, string> {
  const numbers = Array.from({ length: to - from }, (_, at) => from + at);
  return Object.fromEntries(
    numbers.map((at) => [`part-${at % 9}/${at}.txt`, prose(at + 10_000 * edition, 60 + (at % 200))]),
  );
}

function shares(count: number): number[] {
  return fc.sample(fc.double({ min: KILL_FROM, max: 1, noNaN: true }), { numRuns: count, seed: 4 });
}
