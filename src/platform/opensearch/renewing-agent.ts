import { Agent, type AgentOptions } from "node:https";
import { Socket } from "node:net";
import process from "node:process";

export type ClientCertificate = { readonly cert: string; readonly key: string };

/** As the client's own agent. */
const CONNECTIONS: AgentOptions = {
  // A resumed session would go on with the certificate with which it began.
  maxCachedSessions: 0,
  keepAlive: true,
  keepAliveMsecs: 1_000,
  maxSockets: 256,
  scheduling: "lifo",
};

/** Opens each connection with the client certificate of that moment, so that a renewed one needs no restart. */
export class RenewingAgent extends Agent {
  readonly #certificate: () => ClientCertificate;

  constructor(certificate: () => ClientCertificate, ca: string | undefined) {
    super({ ...CONNECTIONS, ...(ca !== undefined && { ca }) });
    this.#certificate = certificate;
  }

  override createConnection(...[options, callback]: Parameters<Agent["createConnection"]>) {
    try {
      return super.createConnection({ ...options, ...this.#certificate() }, callback);
    } catch (error) {
      // Thrown here, it would not reach the request that needs the connection.
      const failed = new Socket();
      process.nextTick(() => failed.destroy(error instanceof Error ? error : new Error(String(error))));
      return failed;
    }
  }
}
