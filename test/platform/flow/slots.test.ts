import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { type Priority, Slots } from "../../../src/platform/flow/slots.ts";

/** Takes a slot and gives it back when the returned function is called. */
async function hold(slots: Slots): Promise<() => void> {
  const started = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  void slots.run(async () => {
    started.resolve();
    await done.promise;
  });
  await started.promise;
  return done.resolve;
}

const nothing = async () => undefined;
const errorOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

describe("slots", () => {
  it("run so much work at a time, the rest in the order it came", async () => {
    const slots = new Slots(2);
    const free = [await hold(slots), await hold(slots)];
    const started: number[] = [];
    const work = [2, 3].map((i) => slots.run(async () => started.push(i)));
    expect(started).to.deep.equal([]);
    for (const end of free) end();
    await Promise.all(work);
    expect(started).to.deep.equal([2, 3]);
  });

  it("give a slot back when work fails", async () => {
    const slots = new Slots(1);
    const failure = new Error("failed");
    expect(await errorOf(slots.run(() => Promise.reject(failure)))).to.equal(failure);
    await slots.run(nothing);
  });

  it("let only so many wait, and another when one of them is through", async () => {
    const full = new Error("full");
    const slots = new Slots(1, { waitingMax: 1, busy: () => full });
    const free = await hold(slots);
    const waits = slots.run(nothing);
    expect(await errorOf(slots.run(nothing))).to.equal(full);
    free();
    await waits;
    await Promise.all([slots.run(nothing), slots.run(nothing)]);
  });

  it("let nobody wait longer than the limit, and give the slot to whoever comes then", async () => {
    const late = new Error("late");
    const slots = new Slots(1, { waitMs: 20, busy: () => late });
    const free = await hold(slots);
    expect(await errorOf(slots.run(nothing))).to.equal(late);
    free();
    await Promise.all([slots.run(nothing), slots.run(nothing)]);
  });

  it("forget a caller that gave up, and refuse all after closing", async () => {
    const slots = new Slots(1);
    await hold(slots);
    const controller = new AbortController();
    const givesUp = errorOf(slots.run(nothing, { signal: controller.signal }));
    const waits = errorOf(slots.run(nothing));
    controller.abort("gave up");
    expect(await givesUp).to.equal("gave up");
    const closed = new Error("closed");
    slots.close(closed);
    expect(await waits).to.equal(closed);
    expect(await errorOf(slots.run(nothing))).to.equal(closed);
  });

  it("run foreground work first", async () => {
    const slots = new Slots(1);
    const order: string[] = [];
    const add = (name: string, priority: Priority) =>
      slots.run(async () => void order.push(name), { priority });
    await Promise.all([
      add("running", "background"),
      add("background", "background"),
      add("foreground", "foreground"),
    ]);
    expect(order).to.deep.equal(["running", "foreground", "background"]);
  });

  it("hold back background work for a while after foreground work, and give it a turn beside much of it", async () => {
    const slots = new Slots(1, { backgroundPauseMs: 200 });
    const started = performance.now();
    const startedAt = (priority: Priority) =>
      slots.run(async () => performance.now() - started, { priority });
    await startedAt("background");
    await startedAt("foreground");
    expect(await startedAt("background")).to.be.at.least(190);

    let isOver = false;
    const foreground = (async () => {
      while (!isOver) {
        await startedAt("foreground");
        await sleep(20);
      }
    })();
    const before = performance.now() - started;
    // Without a turn it would wait for ever.
    expect((await startedAt("background")) - before).to.be.at.least(190);
    isOver = true;
    await foreground;
  });
});
