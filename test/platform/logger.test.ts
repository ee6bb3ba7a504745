import { execFileSync } from "node:child_process";
import process from "node:process";
import { expect } from "chai";
import pg from "pg";
import { DomainError } from "../../src/platform/domain-error.ts";
import { describeError } from "../../src/platform/logger.ts";
import { connectOpenSearch } from "../../src/platform/opensearch/opensearch.ts";
import { freshDatabase, testStores } from "../support/stores.ts";

const TEXT = "zanzibar quicksilver flamingo";
const holdsText = (value: unknown) => JSON.stringify(value).includes(TEXT);

describe("the log entry of an error", () => {
  it("contains nothing of a request that OpenSearch refused", async function () {
    this.timeout(240_000);
    const { opensearchNodes } = await testStores();
    const client = connectOpenSearch(opensearchNodes);
    const body = { query: { term: { fingerprint: { value: TEXT } } }, unknown: 1 };
    const refused = await client.transport
      .request({ method: "POST", path: "/_search", body })
      .catch((error: unknown) => error);
    await client.close();

    expect(refused).to.have.property("meta").that.satisfies(holdsText);
    const described = describeError(refused);
    expect(described).to.have.all.keys("type", "message", "stack", "status");
    expect(described).to.include({ type: "ResponseError", status: 400 });
    expect(described.message).to.include("Unknown key for a VALUE_NUMBER in [unknown]");
    expect(JSON.stringify(described)).not.to.include(TEXT);
  });

  it("contains nothing of a row that PostgreSQL refused", async function () {
    this.timeout(240_000);
    const client = new pg.Client(await freshDatabase());
    await client.connect();
    await client.query("create temporary table short (text text check (length(text) < 5))");
    const refused = await client
      .query("insert into short values ($1)", [TEXT])
      .catch((error: unknown) => error);
    await client.end();

    expect(JSON.stringify(refused)).to.include(TEXT);
    const described = describeError(refused);
    expect(described).to.include({ type: "DatabaseError", code: "23514" });
    expect(JSON.stringify(described)).not.to.include(TEXT);
  });

  it("contains the causes with the same members", () => {
    const first = Object.assign(new RangeError("at the bottom"), { code: "ECONNRESET", body: TEXT });
    const last = new DomainError("store_unavailable", "on top", {
      cause: new Error("between", { cause: first }),
    });
    const { stack, cause, ...described } = describeError(last);

    expect(stack).to.include("logger.test.ts");
    expect(described).to.deep.equal({ type: "DomainError", message: "on top", code: "store_unavailable" });
    expect(cause).to.include({ type: "Error", message: "between" });
    expect(cause?.cause).to.deep.equal({
      type: "RangeError",
      message: "at the bottom",
      stack: first.stack,
      code: "ECONNRESET",
    });
  });

  it("ends for cyclic causes", () => {
    const error = new Error("again");
    error.cause = error;
    expect(JSON.stringify(describeError(error)).match(/"message":"again"/g)).to.have.length(9);
  });

  it("contains no content of values that are not errors, except strings", () => {
    expect(describeError({ message: TEXT })).to.deep.equal({ type: "object", message: "" });
    expect(describeError(undefined)).to.deep.equal({ type: "undefined", message: "" });
    expect(describeError(new Error("x", { cause: "status_429" })).cause).to.deep.equal({
      type: "string",
      message: "status_429",
    });
  });

  it("is written by the logger and its children, with or without other fields", () => {
    const program = `
      import { createLogger } from ${JSON.stringify(new URL("../../src/platform/logger.ts", import.meta.url))};
      const log = createLogger("info");
      const err = Object.assign(new TypeError("failed"), { meta: { body: "${TEXT}" } });
      log.error({ documentId: "d", err }, "one");
      log.error(err);
      log.child({ part: "p" }).warn({ err: new Error("outer", { cause: err }) }, "three");`;
    const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
      encoding: "utf8",
    });

    expect(output).not.to.include(TEXT);
    const [one, two, three] = output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(one).to.include({ documentId: "d", msg: "one" });
    expect(one.err).to.have.all.keys("type", "message", "stack");
    expect(two).to.deep.include({ level: 50, msg: "failed", err: one.err });
    expect(three.err.cause).to.deep.equal(one.err);
  });
});
