import { expect } from "chai";

import { createSlots } from "../../src/extract/slots.ts";

describe("createSlots", () => {
  it("lets so many through at a time, the others in the order they came", async () => {
    const slots = createSlots(2);
    const through: number[] = [];
    const callers = [0, 1, 2, 3].map(async (i) => {
      await slots.take();
      through.push(i);
    });
    await Promise.all(callers.slice(0, 2));
    expect(through).to.deep.equal([0, 1]);
    slots.free();
    await callers[2];
    expect(through).to.deep.equal([0, 1, 2]);
    slots.free();
    await callers[3];
  });

  it("lets only so many wait, and another when one of them is through", async () => {
    const full = new Error("full");
    const slots = createSlots(1, { waitingMax: 1, busy: () => full });
    await slots.take();
    const waits = slots.take();
    expect(await slots.take().catch((error) => error)).to.equal(full);
    slots.free();
    await waits;
    const next = slots.take();
    slots.free();
    await next;
  });

  it("lets nobody wait longer than the limit, and gives the slot to whom comes then", async () => {
    const late = new Error("late");
    const slots = createSlots(1, { waitMs: 20, busy: () => late });
    await slots.take();
    expect(await slots.take().catch((error) => error)).to.equal(late);
    slots.free();
    await slots.take();
    const next = slots.take();
    slots.free();
    await next;
  });

  it("forgets a caller that gave up, and refuses all after closing", async () => {
    const slots = createSlots(1);
    await slots.take();
    const controller = new AbortController();
    const givesUp = slots.take(controller.signal).catch((error) => error);
    const waits = slots.take().catch((error) => error);
    controller.abort("gave up");
    expect(await givesUp).to.equal("gave up");
    const closed = new Error("closed");
    slots.close(closed);
    expect(await waits).to.equal(closed);
    expect(await slots.take().catch((error) => error)).to.equal(closed);
  });
});
