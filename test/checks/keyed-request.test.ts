import { createHash } from "node:crypto";
import { expect } from "chai";
import { keyedRequest } from "../../src/checks/idempotency-store.ts";

describe("the content of a request with a key", () => {
  it("is identified by all of its bytes, and a large one lets the event loop do other work meanwhile", async () => {
    const large = Buffer.alloc(16 * 1024 * 1024, "a large form");
    const sha256 = (content: string | Buffer) => createHash("sha256").update(content).digest();
    const expected = sha256(Buffer.concat(["text", large, ""].map(sha256))).toString("hex");
    let passes = 0;
    let counting = setImmediate(function count() {
      passes += 1;
      counting = setImmediate(count);
    });
    const { requestSha256 } = await keyedRequest("batch", "a key", ["text", large, null]);
    clearImmediate(counting);
    expect(requestSha256).to.equal(expected);
    expect(passes).to.be.at.least(6);
  });
});
