import { once } from "node:events";
import { createServer } from "node:http";
import { expect } from "chai";
import Koa from "koa";
import { inTurns } from "../../src/http/download.ts";
import { withOwnBody } from "../../src/http/input/upload.ts";
import { joinInTurns } from "../../src/platform/flow/turns.ts";

/** Longer than a turn. */
const LONG_MS = 15;

/** Parts that are computed for so long each, as a report of many lines is. */
function* computed(parts: number, onPart: () => void): Generator<string> {
  for (let at = 0; at < parts; at += 1) {
    for (const until = performance.now() + LONG_MS; performance.now() < until; );
    onPart();
    yield "part";
  }
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return text;
}

describe("a response that is made in turns", () => {
  let pass: number;
  let counting: NodeJS.Immediate;

  beforeEach(() => {
    pass = 0;
    const count = () => {
      pass += 1;
      counting = setImmediate(count);
    };
    counting = setImmediate(count);
  });
  afterEach(() => clearImmediate(counting));

  it("lets the event loop do other work after each turn", async () => {
    const passes: number[] = [];
    expect(await textOf(inTurns(computed(5, () => passes.push(pass))))).to.equal("part".repeat(5));
    expect(new Set(passes).size).to.equal(5);
  });

  it("shares the turns with all others: one computes in each pass of the event loop", async () => {
    const passes: number[] = [];
    const responses = Array.from({ length: 4 }, () => textOf(inTurns(computed(3, () => passes.push(pass)))));
    await Promise.all(responses);
    expect(passes).to.have.lengthOf(12);
    expect(new Set(passes).size).to.equal(12);
  });

  it("has all parts in chunks of 64 KB and a rest, whether they come at once or in time", async () => {
    const parts = Array.from({ length: 100 }, (_, at) => String(at % 10).repeat(2_000));
    async function* inTime() {
      yield* parts;
    }
    for (const given of [parts, inTime()]) {
      const chunks: string[] = [];
      for await (const chunk of inTurns(given)) chunks.push(chunk);
      expect(chunks.join("")).to.equal(parts.join(""));
      for (const chunk of chunks.slice(0, -1)) expect(chunk.length).to.be.within(65_536, 67_536);
    }
  });

  it("has no chunk when it has no part, and passes an error on", async () => {
    expect(await textOf(inTurns([]))).to.equal("");
    async function* failing(): AsyncGenerator<string> {
      yield "a";
      throw new Error("broken off");
    }
    const outcome = await textOf(inTurns(failing())).catch((error: Error) => error.message);
    expect(outcome).to.equal("broken off");
    expect(await textOf(inTurns(["later"])), "the next response has its turn").to.equal("later");
  });

  it("is how a large file is joined from its pieces; one piece is not copied", async () => {
    const pieces = Array.from({ length: 128 }, (_, at) => Buffer.alloc(64 * 1024, at));
    const expected = Buffer.concat(pieces);
    const before = pass;
    expect((await joinInTurns([...pieces])).equals(expected)).to.equal(true);
    expect(pass - before).to.be.at.least(7);
    const [only = expected] = pieces;
    expect(await joinInTurns([only])).to.equal(only);
    expect(await joinInTurns([])).to.have.lengthOf(0);
  });

  it("is how the bodies of forms are read: one piece of one of them in each pass", async () => {
    const passes: number[] = [];
    const app = new Koa().use(async (ctx) => {
      let length = 0;
      for await (const piece of withOwnBody(ctx).req.on("data", () => passes.push(pass)))
        length += piece.length;
      ctx.body = String(length);
    });
    const server = createServer(app.callback()).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const address = server.address();
      if (typeof address !== "object" || address === null) throw new Error("it does not listen");
      const send = async () => {
        const url = `http://127.0.0.1:${address.port}`;
        return (await fetch(url, { method: "POST", body: Buffer.alloc(2_000_000) })).text();
      };
      expect(await Promise.all([send(), send(), send(), send()])).to.deep.equal(Array(4).fill("2000000"));
      expect(passes).to.have.lengthOf.at.least(4 * 30);
      expect(new Set(passes).size).to.equal(passes.length);
    } finally {
      server.close();
    }
  });
});
