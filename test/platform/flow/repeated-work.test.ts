import { expect } from "chai";
import { RepeatedWork } from "../../../src/platform/flow/repeated-work.ts";

describe("repeated work in the background", () => {
  /** Work that ends when it is told to, and counts. */
  function observed() {
    const state = { begun: 0, atOnce: 0, faults: [] as unknown[] };
    let finish = (_: Error | undefined) => {};
    const work = new RepeatedWork(
      async (signal) => {
        state.begun += 1;
        state.atOnce += 1;
        expect(state.atOnce).to.equal(1);
        const fault = await new Promise<Error | undefined>((resolve) => {
          finish = resolve;
          signal.addEventListener("abort", () => resolve(new Error("told to end")));
        });
        state.atOnce -= 1;
        if (fault !== undefined) throw fault;
      },
      (error) => state.faults.push(error),
    );
    const end = async (fault?: Error) => {
      finish(fault);
      await new Promise(setImmediate);
    };
    return { work, state, end };
  }

  it("runs once more after all wake-ups during a run, and never twice at once", async () => {
    const { work, state, end } = observed();
    for (let waker = 0; waker < 5; waker += 1) work.wake();
    expect(state.begun).to.equal(1);
    for (let waker = 0; waker < 5; waker += 1) work.wake();
    await end();
    expect(state.begun).to.equal(2);
    await end();
    expect([state.begun, state.atOnce]).to.deep.equal([2, 0]);
    work.wake();
    expect(state.begun).to.equal(3);
    await work.close();
  });

  it("continues after an error, which is reported", async () => {
    const { work, state, end } = observed();
    work.wake();
    const fault = new Error("a store is down");
    await end(fault);
    expect(state.faults).to.deep.equal([fault]);
    work.wake();
    expect(state.begun).to.equal(2);
    await work.close();
  });

  it("is aborted by closing, which waits for it, and never starts again", async () => {
    const { work, state } = observed();
    work.wake();
    work.wake();
    await work.close();
    work.wake();
    expect(state).to.deep.equal({ begun: 1, atOnce: 0, faults: [] });
  });
});
