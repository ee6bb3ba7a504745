import { expect } from "chai";
import { useEngine } from "../support/use-engine.ts";
import { prose } from "../support/work/prose.ts";
import { BatchClient, pairNames } from "./batch-client.ts";

describe("a batch whose members the index has lost", function () {
  this.timeout(120_000);

  const engine = useEngine();
  const batches = new BatchClient(() => engine.client);
  const copied = prose(31, 120);
  let batchId: string;

  before(async () => {
    const { batch, report } = await batches.compared([
      { name: "old", text: `${prose(32, 150)} ${copied}` },
      { name: "other", text: `${copied} ${prose(33, 90)}` },
    ]);
    expect(pairNames(report)).to.deep.equal(["old & other"]);
    batchId = batch.batch_id;
  });

  const index = () => `${engine.options.opensearchIndexPrefix}member-chunks-v1`;

  it("compares latecomers with all of them, if the index was deleted under the running service", async () => {
    await engine.opensearch.indices.delete({ index: index() });
    await batches.add(batchId, [{ name: "late", text: `${prose(34, 200)} ${copied}` }]);
    await batches.ended(batchId);
    expect(pairNames(await batches.report(batchId))).to.deep.equal([
      "late & old",
      "late & other",
      "old & other",
    ]);
  });

  it("does so if only some chunks are missing, as after the restore of an older snapshot", async () => {
    const [old] = (await batches.batch(batchId)).members;
    const query = { term: { document_id: { value: old?.member_id ?? "" } } };
    await engine.opensearch.deleteByQuery({ index: index(), refresh: true, body: { query } });
    await batches.add(batchId, [{ name: "later", text: `${prose(35, 70)} ${copied}` }]);
    await batches.ended(batchId);
    const names = pairNames(await batches.report(batchId));
    expect(names.filter((pair) => pair.includes("later"))).to.deep.equal([
      "late & later",
      "later & old",
      "later & other",
    ]);
  });
});
