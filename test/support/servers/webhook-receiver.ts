import { createServer, type ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { z } from "zod";

/** A message whose signature is right. */
export type Received = { readonly id: string; readonly body: string } & z.output<typeof Event>;

const Event = z.object({
  type: z.string(),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
});

/** Answers a request; one that is left open hangs. */
export type Reply = (response: ServerResponse, received: Received) => void;

const accept: Reply = (response) => response.writeHead(204).end();

/** A receiver that verifies every message by the public implementation of Standard Webhooks. */
export class WebhookReceiver {
  /** All messages with a right signature, those of refused attempts as well. */
  readonly received: Received[] = [];
  /** Why messages were not verified. */
  readonly faults: string[] = [];
  connectionsMax = 0;
  reply: Reply = accept;
  #connections = 0;
  readonly #server;

  private constructor(secret: string) {
    const verifier = new Webhook(secret);
    this.#server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      try {
        const event = Event.parse(verifier.verify(body, headers));
        const received = { id: headers["webhook-id"] ?? "", body, ...event };
        this.received.push(received);
        this.reply(response, received);
      } catch (error) {
        this.faults.push(error instanceof Error ? error.message : String(error));
        response.writeHead(400).end();
      }
    });
    this.#server.on("connection", (socket) => {
      this.#connections += 1;
      this.connectionsMax = Math.max(this.connectionsMax, this.#connections);
      socket.once("close", () => {
        this.#connections -= 1;
      });
    });
  }

  static async start(secret: string, port = 0): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(secret);
    await new Promise<void>((resolve) => receiver.#server.listen(port, "127.0.0.1", resolve));
    return receiver;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/events`;
  }

  /** Accepts all messages from now on. */
  recover(): void {
    this.reply = accept;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }
}
