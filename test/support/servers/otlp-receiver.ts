import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

const Value = z.looseObject({ stringValue: z.string().optional(), intValue: z.int().optional() });
const Attributes = z.array(z.object({ key: z.string(), value: Value }));
const Span = z.looseObject({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes: Attributes,
  status: z.looseObject({ code: z.int() }),
});
const Export = z.object({
  resourceSpans: z.array(
    z.looseObject({
      resource: z.looseObject({ attributes: Attributes }),
      scopeSpans: z.array(z.looseObject({ spans: z.array(Span) })),
    }),
  ),
});

export type ReceivedSpan = z.output<typeof Span>;

/** Takes spans as a collector does: OTLP by HTTP, in JSON. */
export class OtlpReceiver {
  readonly url: string;
  readonly spans: ReceivedSpan[] = [];
  /** The bodies as they came. */
  readonly bodies: string[] = [];
  readonly serviceNames = new Set<string | undefined>();
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async open(): Promise<OtlpReceiver> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const receiver = new OtlpReceiver(server, `http://127.0.0.1:${port}`);
    server.on("request", async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString("utf8");
      const isExport = request.method === "POST" && request.url === "/v1/traces";
      if (isExport) receiver.#take(body);
      response.writeHead(isExport ? 200 : 404, { "Content-Type": "application/json" }).end("{}");
    });
    return receiver;
  }

  /** Waits until a span has come; spans come in batches, seconds after they ended. */
  async span(isIt: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
    for (;;) {
      const found = this.spans.find(isIt);
      if (found !== undefined) return found;
      await sleep(50);
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #take(body: string): void {
    this.bodies.push(body);
    for (const { resource, scopeSpans } of Export.parse(JSON.parse(body)).resourceSpans) {
      this.serviceNames.add(resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue);
      this.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
    }
  }
}
