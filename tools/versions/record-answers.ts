import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import { ClientRequest, IncomingMessage } from "node:http";
import process from "node:process";
import { z } from "zod";

// Preloaded into the service and its commands: writes each answer of OpenSearch (its status, the method and the path) to
// the file ANSWERS_FILE, so that an attempt that the client repeats counts as well. A lost connection has the status 0.

const { ANSWERS_FILE: file = "", OPENSEARCH_URL: nodes = "" } = process.env;
const hosts = new Set(nodes.split(",").map((node) => new URL(node).host));

const Exchange = z.object({
  request: z.instanceof(ClientRequest),
  response: z.instanceof(IncomingMessage).optional(),
});

for (const channel of ["http.client.response.finish", "http.client.request.error"]) {
  subscribe(channel, (message) => {
    const { request, response } = Exchange.parse(message);
    // A signed request names its host without the port.
    const address = `${request.host}:${request.socket?.remotePort}`;
    if (!hosts.has(String(request.getHeader("host"))) && !hosts.has(address)) return;
    appendFileSync(file, `${response?.statusCode ?? 0} ${request.method} ${request.path}\n`);
  });
}
