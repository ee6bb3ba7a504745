import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { EngineClient } from "../support/client.ts";
import { prose } from "../support/work/prose.ts";
import { EventReceiver, register, useCoreApi } from "./use-core-api.ts";

/** `CORE_API_SUBMISSIONS=1000` with `CORE_API_SECONDS=3600` measures an hour of a large school. */
const SUBMISSIONS = Number(process.env.CORE_API_SUBMISSIONS ?? 120);
const SECONDS = Number(process.env.CORE_API_SECONDS ?? 60);
const WORDS = 300;

describe(`${SUBMISSIONS} submissions within ${SECONDS} s beside ordinary checks`, function () {
  this.timeout((SECONDS + 600) * 1_000);
  const api = useCoreApi();
  const receiver = new EventReceiver();
  before(() => receiver.start());
  after(() => receiver.stop());

  it("nothing is lost, every score is right, and each event arrives once", async () => {
    const source = prose(500, 20 * WORDS).split(" ");
    await api.addDocument("source.txt", source.join(" "));
    await register(api.first, receiver);
    // A report is requested when the event says that the text was read, as plug-ins do.
    receiver.answer = (response, index) => {
      response.end();
      const { headers, json } = receiver.deliveries[index] ?? {};
      if (headers?.["x-turnitin-eventtype"] === "SUBMISSION_COMPLETE")
        void api.first.expect(202, "PUT", `/submissions/${json.id}/similarity`, {});
    };
    const engine = new EngineClient(api.engineBase);
    const expected = new Map<string, number>();
    const checks: string[] = [];
    const startedAt = performance.now();
    for (let at = 0; at < SUBMISSIONS; at += 1) {
      const copied = (at % 4) * 75;
      const from = (at * 37) % (19 * WORDS);
      const text = [
        ...prose(1_000 + at, WORDS - copied).split(" "),
        ...source.slice(from, from + copied),
      ].join(" ");
      const id = await api.first.create({ owner: `student ${at}`, title: `text ${at}` });
      expect((await api.first.upload(id, text)).status).to.equal(202);
      expected.set(id, (100 * copied) / WORDS);
      if (at % 4 === 0) checks.push(await engine.submit(text));
      await sleep(Math.max(0, startedAt + (1_000 * SECONDS * (at + 1)) / SUBMISSIONS - performance.now()));
    }
    const count = (type: string) =>
      receiver.deliveries.filter(({ headers }) => headers["x-turnitin-eventtype"] === type);
    for (let waits = 0; count("SIMILARITY_COMPLETE").length < SUBMISSIONS && waits < 500; waits += 1)
      await sleep(1_000);
    console.log(`      all scores after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    const scores = new Map(
      count("SIMILARITY_COMPLETE").map(({ json }) => [json.submission_id, json.overall_match_percentage]),
    );
    for (const type of ["SUBMISSION_COMPLETE", "SIMILARITY_COMPLETE"])
      expect(count(type), type).to.have.lengthOf(SUBMISSIONS);
    expect([...scores.keys()].toSorted()).to.deep.equal([...expected.keys()].toSorted());
    // Words differ in length.
    for (const [id, share] of expected)
      expect(scores.get(id), `a share of ${share}%`).to.be.closeTo(share, share === 0 ? 0 : 6);
    for (const id of checks) expect((await engine.ended(id)).status).to.equal("complete");
  });
});
