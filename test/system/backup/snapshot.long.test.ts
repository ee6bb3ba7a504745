import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { connectOpenSearch, type OpenSearch } from "../../../src/platform/opensearch/opensearch.ts";
import { runCommand } from "../../corpus/upkeep/rebuild-runs.ts";
import { EngineClient } from "../../support/client.ts";
import { OwnCluster } from "../../support/processes/own-cluster.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { freshDatabase } from "../../support/stores.ts";
import { prose } from "../../support/work/prose.ts";
import { findings } from "../faults/workload.ts";

const PREFIX = "similarity-";
const WORDS = 600;

/** As in docs/operations.md. */
const INDICES = { indices: "similarity-*", include_global_state: false } as const;
const WHOLE = { wait_for_completion: true, repository: "backups", snapshot: "similarity-1" } as const;

describe("a snapshot of the indices, restored after the corpus has changed", function () {
  this.timeout(900_000);
  let folder: string;
  let cluster: OwnCluster | undefined;
  let opensearch: OpenSearch;
  let service: TestService | undefined;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "similarity-snapshots-"));
    // The node may run as a user of its own.
    await chmod(folder, 0o777);
    cluster = await OwnCluster.open({ nodeCount: 1, settings: [`path.repo: ${JSON.stringify(folder)}`] });
    opensearch = connectOpenSearch(cluster.opensearchNodes);
  });
  after(async () => {
    await service?.stop();
    await opensearch?.close();
    await cluster?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("is brought in line with the database by one command, and finds what it found before", async () => {
    const { opensearchNodes } = cluster ?? expect.fail();
    const options = {
      databaseUrl: await freshDatabase(),
      opensearchNodes,
      opensearchIndexPrefix: PREFIX,
      indexShards: 2,
    };
    service = await startTestService(options);
    const first = new EngineClient(service.base);
    const [kept, deleted, added] = [prose(90, WORDS), prose(91, WORDS), prose(92, WORDS)];
    const { document_id } = await first.addDocument("deleted.txt", deleted);
    await first.addDocument("kept.txt", kept);
    const query = `${kept.slice(300, 1_800)} ${prose(93, 200)}`;
    const before = findings(await first.checked(query));

    await opensearch.snapshot.createRepository({
      repository: "backups",
      body: { type: "fs", settings: { location: folder } },
    });
    const { body } = await opensearch.snapshot.create({ ...WHOLE, body: INDICES });
    expect(body.snapshot?.state).to.equal("SUCCESS");

    // The service still runs when the corpus changes, and stops before the restore.
    expect(
      (await first.request(`/v1/corpus/documents/${document_id}`, { method: "DELETE" })).status,
    ).to.equal(204);
    await service.service.cleanUpTombstones();
    await first.addDocument("added.txt", added);
    await service.stop();
    await opensearch.indices.delete({ index: `${PREFIX}*` });
    await opensearch.snapshot.restore({ ...WHOLE, body: INDICES });
    const { body: aliases } = await opensearch.indices.getAlias({ index: `${PREFIX}chunks-v1` });
    expect(Object.keys(aliases[`${PREFIX}chunks-v1`]?.aliases ?? {}).toSorted()).to.deep.equal([
      `${PREFIX}chunks-read`,
      `${PREFIX}chunks-write`,
    ]);

    const verified = await runCommand("corpus/verify", ["--json"], options).ended;
    expect(verified.status, verified.stdout).to.equal(1);
    const repaired = await runCommand("corpus/verify", ["--repair"], options).ended;
    expect(repaired.status, repaired.stdout + repaired.stderr).to.equal(0);
    expect((await runCommand("corpus/verify", ["--json"], options).ended).status).to.equal(0);

    service = await startTestService(options);
    const client = new EngineClient(service.base);
    expect((await client.request("/ready")).status).to.equal(200);
    expect(findings(await client.checked(query))).to.deep.equal(before);
    expect((await client.checked(added)).overall_similarity_pct).to.equal(100);
    expect((await client.checked(deleted)).sources).to.deep.equal([]);
  });
});
