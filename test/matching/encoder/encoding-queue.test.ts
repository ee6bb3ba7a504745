import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { EncodingQueue } from "../../../src/matching/encoder/encoding-queue.ts";

describe("the queue of sentences to encode", () => {
  it("runs those of checks first", async () => {
    const queue = new EncodingQueue(1);
    const order: string[] = [];
    const add = (name: string, priority: "check" | "corpus") =>
      queue.run(async () => void order.push(name), priority);
    await Promise.all([add("running", "corpus"), add("corpus", "corpus"), add("check", "check")]);
    expect(order).to.deep.equal(["running", "check", "corpus"]);
  });

  it("holds back those of the corpus for a while after a check's, and gives them a turn beside many checks", async () => {
    const queue = new EncodingQueue(1, 200);
    const started = performance.now();
    const startedAt = (priority: "check" | "corpus") =>
      queue.run(async () => performance.now() - started, priority);
    await startedAt("corpus");
    await startedAt("check");
    expect(await startedAt("corpus")).to.be.within(190, 480);

    let isOver = false;
    const checks = (async () => {
      while (!isOver) {
        await startedAt("check");
        await sleep(20);
      }
    })();
    const before = performance.now() - started;
    expect((await startedAt("corpus")) - before).to.be.within(190, 1_500);
    isOver = true;
    await checks;
  });
});
