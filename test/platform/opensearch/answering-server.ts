import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";

export type Answer = { readonly status: number; readonly body?: unknown };

/** A local server that answers as OpenSearch's security plugin does, which can't be run in a test. */
export type AnsweringServer = { readonly url: string; close(): Promise<void> };

export async function startAnswering(answerTo: (asked: IncomingMessage) => Answer): Promise<AnsweringServer> {
  const server = createServer((asked, response) => {
    asked.resume();
    asked.on("end", () => {
      const { status, body } = answerTo(asked);
      response.writeHead(status, { "content-type": "application/json; charset=UTF-8" });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The error in an answer of the plugin to a user without the right to `action`. */
export function refused(action: string) {
  const error = {
    type: "security_exception",
    reason: `no permissions for [${action}] and User [name=similarity, backend_roles=[], requestedTenant=null]`,
  };
  return { ...error, root_cause: [error] };
}
