import { expect } from "chai";
import fc from "fast-check";
import { readEvents, type ServerEvent } from "../../src/client/read-events.ts";

describe("reading server-sent events", () => {
  const stream =
    "\uFEFFdata: first\n\n: a comment\n\nevent: end\rdata:two\r\ndata: lines – ü🛥\r\n\r\nevent: none\n\ndata: cut off\n";
  const events: readonly ServerEvent[] = [
    { name: "message", data: "first" },
    { name: "end", data: "two\nlines – ü🛥" },
  ];

  it("takes every end of line, comments, several data lines, and leaves what is cut off", async () => {
    expect(await Array.fromAsync(readEvents(bytesOf(stream, [])))).to.deep.equal(events);
  });

  it("reads the same wherever the network cuts the bytes", async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 100 }));
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        expect(await Array.fromAsync(readEvents(bytesOf(stream, at)))).to.deep.equal(events);
      }),
      { seed: 7 },
    );
  });
});

function bytesOf(text: string, cuts: readonly number[]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  return new ReadableStream({
    start(controller) {
      for (const [index, edge] of edges.slice(1).entries())
        controller.enqueue(bytes.slice(edges[index], edge));
      controller.close();
    },
  });
}
