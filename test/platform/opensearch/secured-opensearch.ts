import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Duplex, pipeline } from "node:stream";
import { testStores } from "../../support/stores.ts";

export const USERNAME = "similarity";
/** With what a URL would have to percent-encode, and what is no ASCII. */
export const PASSWORD = "p%4:@/ ß";

/**
 * The real OpenSearch behind HTTPS and basic authentication, as the security plugin would have it: a server with a
 * certificate of an authority made for it, which hands on what comes with the right user and password.
 */
export class SecuredOpenSearch {
  readonly url: string;
  /** PEM files: of the authority that signed the certificate, and of another one with the same name. */
  readonly caFile: string;
  readonly otherCaFile: string;
  /** Requests that came, let in or not. */
  requests = 0;
  readonly #server: Server;
  readonly #folder: string;
  readonly #sockets = new Set<Duplex>();

  private constructor(server: Server, folder: string, url: string) {
    this.#server = server;
    this.#folder = folder;
    this.url = url;
    this.caFile = join(folder, "ca.pem");
    this.otherCaFile = join(folder, "other-ca.pem");
  }

  /** `names` is the certificate's subjectAltName. */
  static async open(names = "IP:127.0.0.1,DNS:localhost"): Promise<SecuredOpenSearch> {
    const folder = mkdtempSync(join(tmpdir(), "secured-opensearch-"));
    makeCertificates(folder, names);
    const [cert, key] = ["node.pem", "node.key"].map((name) => readFileSync(join(folder, name)));
    const server = createServer({ cert, key });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const opened = new SecuredOpenSearch(server, folder, `https://127.0.0.1:${port}`);
    const { opensearchNodes } = await testStores();
    opened.#serve(opensearchNodes[0] ?? "");
    return opened;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    rmSync(this.#folder, { recursive: true });
  }

  #serve(node: string): void {
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    this.#server.on("request", (asked, answer) => {
      this.requests += 1;
      const expected = `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString("base64")}`;
      if (asked.headers.authorization === expected) handOn(node, asked, answer);
      else {
        asked.resume();
        answer
          .writeHead(401, { "WWW-Authenticate": 'Basic realm="OpenSearch Security"' })
          .end("Unauthorized");
      }
    });
  }
}

function handOn(node: string, asked: IncomingMessage, answer: ServerResponse): void {
  const { authorization: _, host: __, ...headers } = asked.headers;
  const inner = request(new URL(asked.url ?? "/", node), { method: asked.method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 500, response.headers);
    pipeline(response, answer, () => undefined);
  });
  inner.on("error", () => answer.destroy());
  pipeline(asked, inner, () => undefined);
}

/** PEM files of two authorities, and of a node with a certificate of the first. */
export function makeCertificates(folder: string, names: string): void {
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  for (const name of ["ca", "other-ca"]) {
    openssl(
      "req",
      "-x509",
      ...newKey,
      "-days",
      "2",
      "-subj",
      "/CN=Authority",
      "-keyout",
      `${name}.key`,
      "-out",
      `${name}.pem`,
    );
  }
  openssl("req", ...newKey, "-subj", "/CN=node", "-keyout", "node.key", "-out", "node.csr");
  writeFileSync(join(folder, "names.cnf"), `subjectAltName=${names}\n`);
  const signing = [
    "-CA",
    "ca.pem",
    "-CAkey",
    "ca.key",
    "-set_serial",
    "1",
    "-days",
    "2",
    "-extfile",
    "names.cnf",
  ];
  openssl("x509", "-req", "-in", "node.csr", ...signing, "-out", "node.pem");
}
