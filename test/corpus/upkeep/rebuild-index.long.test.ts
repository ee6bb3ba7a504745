import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { openRebuildSession } from "../../../src/corpus/upkeep/rebuild-session.ts";
import { createRetryPolicy, STORE_WAIT_MS } from "../../../src/platform/flow/retry-policy.ts";
import { useCorpus } from "../../support/use-corpus.ts";
import { prose } from "../../support/work/prose.ts";
import { addTexts, indexContent, ingest } from "./damaged-corpus.ts";
import { agrees, chunksInNext, PLAIN, roles, runCommand, stoppedAfter } from "./rebuild-runs.ts";

/** More than a batch of a rebuild, so that it can be stopped between two. */
const DOCUMENTS = 450;

describe("a rebuild of the chunk index from the database", function () {
  this.timeout(600_000);
  const made = useCorpus();
  let documentIds: string[];
  let seed = 0;

  before(async () => {
    const texts = Array.from({ length: DOCUMENTS }, () => prose(++seed, 250));
    documentIds = await addTexts(made.corpus, [...texts, "two words", "😀 𝒳".repeat(300)]);
  });

  afterEach(async () => {
    const { indexVersions } = made.corpus;
    const others = (await indexVersions.list()).filter(({ role }) => role !== "current");
    await indexVersions.drop(others.map(({ name }) => name));
  });

  it("creates the same chunks in the next index, moves both aliases to it, and keeps the former one", async () => {
    const before = await indexContent(made.corpus);
    const [number = 0] = (await roles(made.corpus)).current ?? [];
    const { rebuilt, dropped, former } = await made.corpus.rebuildIndex(PLAIN);
    expect(await indexContent(made.corpus)).to.deep.equal(before);
    expect(await roles(made.corpus)).to.deep.equal({ former: [number], current: [number + 1] });
    expect([dropped, former.map((one) => one.number)]).to.deep.equal([[], [number]]);
    const counts = { chunks: before.size, chunksOfOld: before.size, chunksOfNew: before.size };
    expect(rebuilt).to.deep.include({ ...counts, chunksWritten: before.size, sampledChecks: 50 });
    expect(rebuilt?.documents).to.equal(documentIds.length);

    const { names } = made.corpus.chunkIndex;
    for (const alias of [names.readAlias, names.writeAlias]) {
      const { body } = await made.corpus.opensearch.indices.getAlias({ name: alias });
      expect(Object.keys(body), alias).to.deep.equal([rebuilt?.index]);
    }
  });

  it("gives the new index the settings of the template, not those of its filling", async () => {
    const settingsOf = async (index: string) => {
      const { body } = await made.corpus.opensearch.indices.getSettings({ index, flat_settings: true });
      const settings = Object.entries(Object.values(body)[0]?.settings ?? {});
      return settings.filter(([key]) => !/uuid|creation_date|provided_name|version/.test(key)).toSorted();
    };
    const before = await settingsOf(made.corpus.chunkIndex.readAlias);
    await made.corpus.rebuildIndex(PLAIN);
    expect(await settingsOf(made.corpus.chunkIndex.readAlias)).to.deep.equal(before);
  });

  it("that is stopped leaves the aliases, and continues where it stopped, with documents that came and went meanwhile", async () => {
    const before = await roles(made.corpus);
    expect(await stoppedAfter(made.corpus, 100)).to.have.property("message", "stopped by the test");
    const copied = await chunksInNext(made.corpus);
    const [next = 0] = (await roles(made.corpus)).next ?? [];
    expect((await roles(made.corpus)).current).to.deep.equal(before.current);

    const added = await addTexts(made.corpus, [prose(++seed, 300)]);
    const pending = await ingest(made.corpus, [prose(++seed, 300)], "pending");
    const gone = [documentIds[0], documentIds[DOCUMENTS - 1]];
    await made.corpus.database.query("delete from documents where document_id = any($1)", [gone]);

    const { rebuilt } = await made.corpus.rebuildIndex(PLAIN);
    expect((await roles(made.corpus)).current).to.deep.equal([next]);
    expect(rebuilt?.chunksWritten).to.be.within(1, (rebuilt?.chunks ?? 0) - copied + 10);
    const inIndex = new Set([...(await indexContent(made.corpus)).keys()].map((id) => id.split(":")[0]));
    for (const id of added) expect(inIndex.has(id), "an added document").to.equal(true);
    for (const id of [...gone, ...pending]) expect(inIndex.has(id ?? ""), "gone or pending").to.equal(false);
    await made.corpus.fingerprintDocuments(pending);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("is right about documents that come and go all the while", async () => {
    let isDone = false;
    const added: string[] = [];
    // The new index refuses removals until its shards have started. The service tries again, so this does.
    const withRetries = createRetryPolicy({ waitMs: STORE_WAIT_MS, say: () => undefined });
    const writing = (async () => {
      while (!isDone) {
        const ids = await addTexts(made.corpus, [prose(++seed, 200), prose(++seed, 200)]);
        added.push(...ids);
        await made.corpus.database.query("delete from documents where document_id = $1", [ids[0]]);
        await withRetries(() => made.corpus.cleanUpTombstones());
      }
    })();
    await made.corpus.rebuildIndex(PLAIN).finally(() => {
      isDone = true;
    });
    await writing;
    await made.corpus.cleanUpTombstones();
    expect(added.length).to.be.above(4);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("removes chunks without a row, and chunks beyond a document's own, from the new index", async () => {
    await stoppedAfter(made.corpus, 100);
    const stray = { document_id: documentIds[5], chunk_index: 99, fingerprint: "a b c d e" };
    const { opensearch, chunkIndex } = made.corpus;
    const index = chunkIndex.names.nextAlias;
    const routing = "elsewhere";
    await opensearch.index({ index, id: `${documentIds[5]}:99`, routing, body: stray });
    await opensearch.index({ index, id: "foreign", routing, body: { ...stray, document_id: "foreign" } });
    await made.corpus.rebuildIndex(PLAIN);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("continues after its command was killed", async () => {
    const killed = runCommand("corpus/rebuild", [], made.options);
    while (killed.child.exitCode === null && (await chunksInNext(made.corpus)) === 0) await sleep(5);
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(killed.child.signalCode).to.equal("SIGKILL");
    const [next] = (await roles(made.corpus)).next ?? [];
    expect(next, "the kill came before the end").to.be.a("number");

    // PostgreSQL notices a moment later that the connection which held the lock is gone.
    let rerun = await runCommand("corpus/rebuild", ["--json"], made.options).ended;
    while (/Another rebuild/.test(rerun.stderr))
      rerun = await runCommand("corpus/rebuild", ["--json"], made.options).ended;
    expect(rerun.status, rerun.stderr).to.equal(0);
    expect(rerun.stderr).to.match(/^Continuing with /m);
    const result = JSON.parse(rerun.stdout);
    expect(result).to.include({ index: `${made.options.opensearchIndexPrefix}chunks-v${next}` });
    expect(result.chunks_of_index).to.equal(result.chunks);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("excludes a second one while it runs, whose command ends with status 1", async () => {
    let second: Promise<unknown> | undefined;
    await made.corpus.rebuildIndex({
      ...PLAIN,
      say: () => {
        second ??= made.corpus.rebuildIndex(PLAIN).catch((error: Error) => error.message);
      },
    });
    expect(await second).to.match(/Another rebuild/);

    // The process of a command takes longer to start than a rebuild of this corpus does.
    const session = await openRebuildSession(made.options.databaseUrl);
    const { status, stderr } = await runCommand("corpus/rebuild", [], made.options).ended;
    await session.close();
    expect([status, /Another rebuild/.test(stderr)], stderr).to.deep.equal([1, true]);
  });

  it("that finds the new index wrong leaves the aliases, and says how to start again", async () => {
    const before = await roles(made.corpus);
    await stoppedAfter(made.corpus, 100);
    const { opensearch, chunkIndex } = made.corpus;
    const index = chunkIndex.names.nextAlias;
    await opensearch.indices.refresh({ index });
    const body = { script: { source: "ctx._source.fingerprint = 'not what it was at all'" } };
    await opensearch.updateByQuery({ index, refresh: true, body });
    const { status, stderr } = await runCommand("corpus/rebuild", [], made.options).ended;
    expect(status, stderr).to.equal(1);
    expect(stderr)
      .to.match(/does not find a sampled chunk/)
      .and.to.include("--restart");
    expect((await roles(made.corpus)).current).to.deep.equal(before.current);

    await made.corpus.rebuildIndex({ ...PLAIN, restart: true });
    expect((await roles(made.corpus)).next).to.equal(undefined);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("replaces an index that has lost chunks", async () => {
    const { opensearch, chunkIndex } = made.corpus;
    const query = { terms: { document_id: documentIds.slice(10, 60) } };
    await opensearch.deleteByQuery({ index: chunkIndex.readAlias, refresh: true, body: { query } });
    expect(await agrees(made.corpus)).to.equal(false);
    const { rebuilt } = await made.corpus.rebuildIndex(PLAIN);
    expect(rebuilt?.chunksOfOld).to.be.below(rebuilt?.chunksOfNew ?? 0);
    expect(await agrees(made.corpus)).to.equal(true);
  });

  it("deletes former indices with --drop-old: at its end, or later without a rebuild", async () => {
    await made.corpus.rebuildIndex(PLAIN);
    const { former, current } = await roles(made.corpus);
    const later = await made.corpus.rebuildIndex({ ...PLAIN, dropOld: true });
    expect(later.rebuilt).to.equal(undefined);
    expect(later.dropped).to.have.lengthOf(former?.length ?? 0);
    expect(await roles(made.corpus)).to.deep.equal({ current });

    const [number = 0] = current ?? [];
    const { status, stdout } = await runCommand("corpus/rebuild", ["--drop-old"], made.options).ended;
    expect(status).to.equal(0);
    expect(stdout).to.match(/Deleted: .*chunks-v\d/);
    expect(await roles(made.corpus)).to.deep.equal({ current: [number + 1] });
  });

  it("rejects unknown arguments before anything is started", async () => {
    for (const args of [["--all"], ["index"]]) {
      const { status, stderr } = await runCommand("corpus/rebuild", args, made.options).ended;
      expect([status, /Usage: npm run corpus:rebuild/.test(stderr)], args.join(" ")).to.deep.equal([2, true]);
    }
  });
});
