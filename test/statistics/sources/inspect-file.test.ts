import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { inspectFile } from "../../../src/statistics/sources/input/text-file.ts";
import { refusal, withFile } from "../written-file.ts";

describe("a file before it is read", () => {
  it("is hashed and measured", async () => {
    const bytes = Buffer.from("dimension,key\n".repeat(100_000));
    const { sha256, bytes: size, encoding } = await withFile("P.csv", bytes, async (input) => input);
    expect(sha256).to.equal(createHash("sha256").update(bytes).digest("hex"));
    expect(size).to.equal(bytes.length);
    expect(encoding).to.equal("utf-8");
  });

  it("is UTF-8 only when all of it is, the last character too", async () => {
    const encodingOf = (bytes: Uint8Array) => withFile("P.csv", bytes, async ({ encoding }) => encoding);
    const text = Buffer.from(`${"a".repeat(300_000)}é`);
    expect(await encodingOf(text)).to.equal("utf-8");
    expect(await encodingOf(text.subarray(0, -1))).to.equal("windows-1252");
    expect(await encodingOf(Buffer.from(text.toString(), "latin1"))).to.equal("windows-1252");
  });

  it("is refused when it is empty, an archive or not there", async () => {
    const inspect = (bytes: Uint8Array) => refusal(withFile("RW.csv", bytes, async (input) => input));
    expect(await inspect(Buffer.from(""))).to.equal("RW.csv: the file is empty.");
    expect(await inspect(gzipSync("text"))).to.match(/^RW\.csv: the file is compressed with gzip; unpack it/);
    expect(await inspect(Buffer.from("PK\u0003\u0004rest"))).to.match(/^RW\.csv: the file is a ZIP archive/);
    expect(await refusal(inspectFile("/nowhere/RW.csv"))).to.match(/^RW\.csv: can't be read: ENOENT/);
  });
});
