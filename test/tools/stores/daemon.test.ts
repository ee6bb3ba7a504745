import { createServer } from "node:net";
import { expect } from "chai";
import { freePorts } from "../../../tools/stores/daemon.ts";

describe("free ports", () => {
  it("are all different", async () => {
    const ports = await freePorts(Array.from({ length: 20 }, () => undefined));
    expect(new Set(ports).size).to.equal(20);
  });

  it("are the preferred ones while they are free, and otherwise others", async () => {
    const [last] = await freePorts([undefined]);
    expect(await freePorts([last])).to.deep.equal([last]);
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(last, "127.0.0.1", done));
    const [other] = await freePorts([last]);
    expect(other).to.be.a("number").and.not.equal(last);
    await new Promise((done) => taken.close(done));
  });
});
