import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { z } from "zod";
import { useEngine } from "../../support/use-engine.ts";
import { prose } from "../../support/work/prose.ts";

/** With these, every request counts as slow. */
const ALL_SLOW = {
  "indexing.slowlog.threshold.index.trace": "0ms",
  "search.slowlog.threshold.query.trace": "0ms",
  "search.slowlog.threshold.fetch.trace": "0ms",
};

/** Words that are longer than any part of a word that a search has. */
const LONG_WORD = /[a-z]{7,}/g;

const TITLE = "confidential heading";

const Nodes = z.object({
  nodes: z.record(z.string(), z.object({ settings: z.object({ path: z.object({ logs: z.string() }) }) })),
});

describe("OpenSearch's slow logs", function () {
  this.timeout(120_000);
  const engine = useEngine();

  /** The lines about this service's chunks in the slow logs of one kind. */
  async function lines(kind: "indexing" | "search"): Promise<string[]> {
    const folder = await logFolder();
    const files = (await readdir(folder)).filter((file) => file.endsWith(`_index_${kind}_slowlog.log`));
    const logs = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
    const index = `${engine.options.opensearchIndexPrefix}chunks-v`;
    return logs.flatMap((log) => log.split("\n").filter((line) => line.includes(index)));
  }

  async function logFolder(): Promise<string> {
    const { body } = await engine.opensearch.nodes.info({ node_id: "_all", metric: ["settings"] });
    return Object.values(Nodes.parse(body).nodes)[0]?.settings.path.logs ?? "";
  }

  it("show no text of a document, and of a check only the beginnings of words", async function () {
    if (!existsSync(await logFolder())) {
      process.stderr.write("the logs of OpenSearch are not on this machine\n");
      this.skip();
    }
    const index = `${engine.options.opensearchIndexPrefix}*`;
    await engine.opensearch.indices.putSettings({ index, body: { index: ALL_SLOW } });
    const source = prose(80, 400);
    const query = `${prose(81, 300)} ${source.slice(0, 1_500)}`;
    await engine.client.addDocument(`${TITLE}.txt`, source);
    expect((await engine.client.checked(query)).sources).to.have.lengthOf(1);
    for (const kind of ["indexing", "search"] as const) {
      while ((await lines(kind)).length === 0) await sleep(100);
      const log = (await lines(kind)).join("\n");
      const words = new Set(`${TITLE} ${source} ${query}`.toLowerCase().match(LONG_WORD));
      expect(words.size).to.be.above(100);
      expect([...words].filter((word) => log.includes(word))).to.deep.equal([]);
    }
    expect((await lines("search")).join("\n")).to.match(/"fingerprint\.words":\{"value":"[a-z]{1,6}"/);
  });
});
