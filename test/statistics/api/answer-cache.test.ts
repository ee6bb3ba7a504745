import { expect } from "chai";
import { AnswerCache } from "../../../src/statistics/api/answer-cache.ts";

describe("AnswerCache", () => {
  function cache(bytesMax = 10) {
    return new AnswerCache<string>(bytesMax, (value) => value.length);
  }

  it("builds once what is asked for several times, also at once", async () => {
    const kept = cache();
    let builds = 0;
    const build = async () => `built ${++builds}`;
    const values = await Promise.all([kept.get("a", build), kept.get("a", build)]);
    expect([...values, await kept.get("a", build)]).to.deep.equal(["built 1", "built 1", "built 1"]);
  });

  it("does not keep a failure", async () => {
    const kept = cache();
    const failing = () => Promise.reject(new Error("down"));
    const failure = await kept.get("a", failing).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error);
    expect(await kept.get("a", async () => "up")).to.equal("up");
  });

  it("gives up what was used longest ago when it is full", async () => {
    const kept = cache(10);
    for (const key of ["a", "b"]) await kept.get(key, async () => key.repeat(4));
    kept.find("a");
    await kept.get("c", async () => "cccc");
    expect(["a", "b", "c"].map((key) => kept.find(key))).to.deep.equal(["aaaa", undefined, "cccc"]);
  });

  it("gives what is too large, and does not keep it", async () => {
    const kept = cache(3);
    expect(await kept.get("a", async () => "too large")).to.equal("too large");
    expect(kept.find("a")).to.equal(undefined);
    await kept.get("b", async () => "ok");
    expect(kept.find("b")).to.equal("ok");
  });

  it("keeps nothing whose building began before it was cleared", async () => {
    const kept = cache();
    const building = kept.get("a", async () => "old");
    kept.clear();
    expect(await building).to.equal("old");
    expect(kept.find("a")).to.equal(undefined);
    expect(await kept.get("a", async () => "new")).to.equal("new");
  });
});
