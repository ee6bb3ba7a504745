import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { addKey } from "../../src/core-api/keys.ts";
import { Database } from "../../src/platform/postgres/database.ts";
import type { ServiceOptions } from "../../src/service/wire.ts";
import { EngineClient } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** What a plug-in does with one key. */
export class PluginClient {
  readonly base: string;
  readonly key: string;

  constructor(base: string, key: string) {
    this.base = base;
    this.key = key;
  }

  request(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.base}${path}`, {
      ...init,
      method,
      headers: { Authorization: `Bearer ${this.key}`, ...init.headers },
    });
  }

  json(method: string, path: string, body: unknown): Promise<Response> {
    return this.request(method, `/api/v1${path}`, {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  /** The JSON of an answer with the expected status. */
  async expect(status: number, method: string, path: string, body?: unknown) {
    const response =
      body === undefined ? await this.request(method, `/api/v1${path}`) : await this.json(method, path, body);
    const content = await response.text();
    if (response.status !== status) throw new Error(`${method} ${path}: ${response.status} ${content}`);
    return content === "" ? undefined : JSON.parse(content);
  }

  async create(more: object = {}): Promise<string> {
    const created = await this.expect(201, "POST", "/submissions", {
      owner: "author_7",
      submitter: "user_3",
      title: "The tide",
      ...more,
    });
    return created.id;
  }

  upload(id: string, content: string | Uint8Array, name = "text.txt"): Promise<Response> {
    return this.request("PUT", `/api/v1/submissions/${id}/original`, {
      headers: {
        "Content-Type": "binary/octet-stream",
        "Content-Disposition": `inline; filename="${encodeURIComponent(name)}"`,
      },
      body: typeof content === "string" ? content : Uint8Array.from(content),
    });
  }

  /** Submits a text and waits until it was read. */
  async submit(content: string | Uint8Array, more: object = {}, name?: string) {
    const id = await this.create(more);
    const response = await this.upload(id, content, name);
    if (response.status !== 202) throw new Error(`upload: ${response.status} ${await response.text()}`);
    return this.until(`/submissions/${id}`, ({ status }) => status === "COMPLETE" || status === "ERROR");
  }

  /** Submits a text and waits for its report. */
  async report(content: string | Uint8Array, settings: object = {}, more: object = {}) {
    const { id } = await this.submit(content, more);
    return this.check(id, settings);
  }

  async check(id: string, settings: object = {}) {
    await this.expect(202, "PUT", `/submissions/${id}/similarity`, settings);
    return this.until(`/submissions/${id}/similarity`, ({ status }) => status === "COMPLETE");
  }

  /** Waits until an answer is as it is meant to be; mocha's limit ends the waiting. */
  // biome-ignore lint/suspicious/noExplicitAny: the answers are JSON of other tests' choice
  async until(path: string, holds: (answer: any) => boolean) {
    for (;;) {
      const answer = await this.expect(200, "GET", path);
      if (holds(answer)) return answer;
      await sleep(100);
    }
  }
}

export type UsedCoreApi = {
  readonly base: string;
  readonly engineBase: string;
  readonly first: PluginClient;
  readonly second: PluginClient;
  readonly options: ServiceOptions;
  readonly keysFile: string;
  restart(): Promise<void>;
  /** Adds a document to the corpus by the engine, and waits until texts are compared with it. */
  addDocument(name: string, content: string): Promise<void>;
  /** Makes all events due at once, those of later attempts too, until the condition holds and no event waits or is being sent. */
  untilEventsEnd(holds: () => boolean): Promise<void>;
};

/** A service with the listener for plug-ins and two keys, during the tests of one `describe`. */
export function useCoreApi(
  changes: () => Promise<Partial<ServiceOptions>> | Partial<ServiceOptions> = () => ({}),
): UsedCoreApi {
  let running:
    | (TestService & { readonly keysFile: string; readonly keys: readonly [string, string] })
    | undefined;
  let folder = "";
  let database: Database | undefined;
  before(async function () {
    this.timeout(240_000);
    folder = mkdtempSync(join(tmpdir(), "core-api-"));
    const keysFile = join(folder, "keys.json");
    const keys = [await addKey(keysFile, "first"), await addKey(keysFile, "second")] as const;
    const port = await freePort();
    const service = await startTestService({
      coreApiPort: port,
      coreApiPublicUrl: `http://127.0.0.1:${port}`,
      coreApiKeysFile: keysFile,
      coreApiWebhookHosts: ["127.0.0.1"],
      dataDir: folder,
      ...(await changes()),
    });
    running = { ...service, keysFile, keys };
  });
  after(async () => {
    await database?.close();
    await running?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const started = () => {
    if (running === undefined) throw new Error("the service is not running");
    return running;
  };
  const client = (at: 0 | 1) =>
    new PluginClient(started().service.coreApi?.address ?? "", started().keys[at]);
  return {
    get base() {
      return started().service.coreApi?.address ?? "";
    },
    get engineBase() {
      return started().base;
    },
    get first() {
      return client(0);
    },
    get second() {
      return client(1);
    },
    get options() {
      return started().options;
    },
    get keysFile() {
      return started().keysFile;
    },
    async addDocument(name, content) {
      const engine = new EngineClient(started().base);
      const response = await engine.upload("/v1/corpus/documents", { name, content });
      const { document_id: id } = await readJson(response);
      for (let status = ""; status !== "fingerprinted"; await sleep(50))
        ({ fingerprint_status: status } = await readJson(await engine.request(`/v1/corpus/documents/${id}`)));
    },
    async untilEventsEnd(holds) {
      database ??= new Database(started().options.databaseUrl, pino({ level: "silent" }));
      for (;;) {
        const held = holds();
        const rows = await database.query(
          "update core_api_events set due_at = least(due_at, now()) returning 1",
        );
        if (held && rows.length === 0) return;
        await sleep(50);
      }
    },
    async restart() {
      const { keysFile, keys, options } = started();
      await started().stop();
      running = { ...(await startTestService(options)), keysFile, keys };
    },
  };
}

/** The JSON of an answer, which the tests look into. */
export async function readJson(response: Response) {
  return JSON.parse(await response.text());
}

/** A free port below those that systems give to connections, so that none of them gets it before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const server = createServer();
    const isFree = await once(server.listen(port, "127.0.0.1"), "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

export type Delivery = {
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: the bodies are JSON of other tests' choice
  readonly json: any;
};

/** A receiver of events. */
export class EventReceiver {
  readonly deliveries: Delivery[] = [];
  /** Answers a delivery; 200 without it. */
  answer: (response: ServerResponse, index: number) => void = (response) => response.end();
  readonly #server = createHttpServer(async (request, response) => {
    const at = Date.now();
    const body = await text(request);
    const index = this.deliveries.push({ at, headers: request.headers, body, json: JSON.parse(body) }) - 1;
    this.answer(response, index);
  });
  #port = 0;

  async start(): Promise<void> {
    await once(this.#server.listen(0, "127.0.0.1"), "listening");
    const address = this.#server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  /** Waits for an event; mocha's limit ends the waiting. */
  async event(type: string, holds: (delivery: Delivery) => boolean = () => true): Promise<Delivery> {
    for (;;) {
      const found = this.deliveries.find((one) => one.headers["x-turnitin-eventtype"] === type && holds(one));
      if (found !== undefined) return found;
      await sleep(100);
    }
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }
}

export function register(client: PluginClient, receiver: { readonly url: string }, more: object = {}) {
  return client.json("POST", "/webhooks", {
    signing_secret: Buffer.from("abcdefghijklmnop").toString("base64"),
    url: receiver.url,
    event_types: ["SUBMISSION_COMPLETE", "SIMILARITY_COMPLETE", "SIMILARITY_UPDATED"],
    allow_insecure: true,
    ...more,
  });
}
