import { Agent, type AgentOptions } from "node:https";

export type ClientCertificate = { readonly cert: string; readonly key: string };

/** As the client's own agent. */
const CONNECTIONS: AgentOptions = {
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
    return super.createConnection({ ...options, ...this.#certificate() }, callback);
  }
}
