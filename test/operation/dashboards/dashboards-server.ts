import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname } from "node:path";
import { z } from "zod";

// What POST /api/saved_objects/_import of OpenSearch Dashboards 3 does, as its sources have it: the route's demands, the
// checks of the whole file, those of each object, and the answers in the words of the real one.

type Stored = { readonly type: string; readonly id: string; readonly title: string };
type Failure = { readonly status: number; readonly body: string };
type ImportError = { readonly type: string } & Readonly<Record<string, unknown>>;

const IMPORTABLE = ["index-pattern", "search", "visualization", "dashboard", "query", "config", "url"];

/** References to other types are not looked at. */
const CHECKED_REFERENCES = ["index-pattern", "search"];

/** The newest migration of each type; a later one is of a newer Dashboards. */
const MIGRATIONS = new Map(
  Object.entries({ "index-pattern": "7.6.0", search: "7.9.3", visualization: "7.10.0", dashboard: "7.9.3" }),
);

/** The members that an object of a type may have, as the index of the saved objects takes no others. */
const ATTRIBUTES = new Map(
  Object.entries({
    search: "columns description hits kibanaSavedObjectMeta sort title version",
    visualization: "description kibanaSavedObjectMeta savedSearchRefName title uiStateJSON version visState",
    dashboard:
      "description hits kibanaSavedObjectMeta optionsJSON panelsJSON refreshInterval timeFrom timeRestore timeTo title version",
  }).map(([type, names]) => [type, new Set(names.split(" "))]),
);

const SavedObject = z.looseObject({
  type: z.string(),
  id: z.string(),
  attributes: z.looseObject({ title: z.string() }),
  references: z.array(z.looseObject({ type: z.string(), id: z.string() })).default([]),
  migrationVersion: z.record(z.string(), z.string()).default({}),
});
type SavedObject = z.output<typeof SavedObject>;

export class DashboardsServer {
  readonly url: string;
  readonly stored = new Map<string, Stored>();
  /** Asked for when it is set, as the security plugin does. */
  credentials: { readonly username: string; readonly password: string } | undefined;
  ready = true;
  /** The tenant that the last import named. */
  tenant: string | undefined;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  /** `basePath` is that of `server.basePath`, which a proxy leaves in its requests. */
  static async open(basePath = ""): Promise<DashboardsServer> {
    const server = createServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const opened = new DashboardsServer(server, `http://127.0.0.1:${port}${basePath}`);
    server.on("request", (asked, answer) => {
      opened.#answer(basePath, asked, answer).catch((error: unknown) => {
        answer.writeHead(500).end(String(error));
      });
    });
    return opened;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(basePath: string, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = Buffer.concat(await asked.toArray());
    const url = new URL(asked.url ?? "/", this.url);
    const failure = this.#refuse(basePath, asked, url);
    if (failure !== undefined) {
      answer
        .writeHead(failure.status, { "content-type": "application/json; charset=utf-8" })
        .end(failure.body);
      return;
    }
    this.tenant = asked.headers.securitytenant?.toString();
    const result = await this.#import(asked, body, url.searchParams.get("overwrite") === "true");
    answer.writeHead(result.status, { "content-type": "application/json; charset=utf-8" }).end(result.body);
  }

  #refuse(basePath: string, asked: IncomingMessage, url: URL): Failure | undefined {
    if (!this.ready) return { status: 503, body: "OpenSearch Dashboards server is not ready yet" };
    if (this.credentials !== undefined) {
      const { username, password } = this.credentials;
      const expected = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
      if (asked.headers.authorization !== expected)
        return failure(401, "Unauthorized", "Authentication required");
    }
    const isRoute = asked.method === "POST" && url.pathname === `${basePath}/api/saved_objects/_import`;
    if (!isRoute) return failure(404, "Not Found", "Not Found");
    if (asked.headers["osd-xsrf"] === undefined)
      return failure(400, "Bad Request", "Request must contain a osd-xsrf header.");
    if (!asked.headers["content-type"]?.startsWith("multipart/form-data"))
      return failure(415, "Unsupported Media Type", "Unsupported Media Type");
    return undefined;
  }

  async #import(asked: IncomingMessage, body: Buffer, overwrite: boolean): Promise<Failure> {
    const headers = { "content-type": asked.headers["content-type"] ?? "" };
    const form = await new Response(body, { headers }).formData();
    const file = form.get("file");
    if (!(file instanceof File))
      return failure(
        400,
        "Bad Request",
        "[request body.file]: expected value of type [Stream] but got [undefined]",
      );
    const extension = extname(file.name).toLowerCase();
    if (extension !== ".ndjson") return failure(400, "Bad Request", `Invalid file extension ${extension}`);
    const objects = parseLines(await file.text());
    if (objects === undefined) return failure(400, "Bad Request", "Unexpected end of JSON input");
    const keys = objects.map(keyOf);
    const repeated = keys.filter((key, place) => keys.indexOf(key) !== place);
    if (repeated.length > 0)
      return failure(400, "Bad Request", `Non-unique import objects detected: [${repeated.join()}]`);
    const newer = objects.map(newerVersion).find((message) => message !== undefined);
    if (newer !== undefined) return failure(422, "Unprocessable Entity", newer);
    return { status: 200, body: JSON.stringify(this.#store(objects, overwrite)) };
  }

  /** What can be mended (a conflict, a missing reference) keeps out all objects, and the others are reported as imported. */
  #store(objects: readonly SavedObject[], overwrite: boolean) {
    const importable = objects.filter(({ type }) => IMPORTABLE.includes(type));
    const present = new Set([...importable.map(keyOf), ...this.stored.keys()]);
    const refused = objects.flatMap((object) =>
      errorFor(object, this.#objection(object, present, overwrite)),
    );
    const isRefused = new Set(refused.map(keyOf));
    const accepted = objects.filter((object) => !isRefused.has(keyOf(object)));
    const stores = refused.every(({ error }) => error.type === "unsupported_type");
    const unfit = stores ? accepted.flatMap((object) => errorFor(object, misfit(object))) : [];
    const isUnfit = new Set(unfit.map(keyOf));
    const created = accepted.filter((object) => !isUnfit.has(keyOf(object)));
    if (stores) for (const object of created) this.stored.set(keyOf(object), storedOf(object));
    const errors = [...refused, ...unfit];
    return {
      successCount: created.length,
      success: errors.length === 0,
      ...(created.length > 0 && {
        successResults: created.map(({ type, id, attributes }) => ({
          type,
          id,
          meta: { title: attributes.title },
        })),
      }),
      ...(errors.length > 0 && { errors }),
    };
  }

  #objection(object: SavedObject, present: ReadonlySet<string>, overwrite: boolean): ImportError | undefined {
    if (!IMPORTABLE.includes(object.type)) return { type: "unsupported_type" };
    const missing = object.references.filter(
      (one) => CHECKED_REFERENCES.includes(one.type) && !present.has(keyOf(one)),
    );
    if (missing.length > 0) {
      return { type: "missing_references", references: missing.map(({ type, id }) => ({ type, id })) };
    }
    return !overwrite && this.stored.has(keyOf(object)) ? { type: "conflict" } : undefined;
  }
}

/** What the index of the saved objects answers to a member that it has no mapping for. */
function misfit({ type, attributes }: SavedObject): ImportError | undefined {
  const known = ATTRIBUTES.get(type);
  const unknown = Object.keys(attributes).find((name) => known !== undefined && !known.has(name));
  if (unknown === undefined) return undefined;
  const message = `mapping set to strict, dynamic introduction of [${unknown}] within [${type}] is not allowed`;
  return { type: "unknown", message, statusCode: 400 };
}

function errorFor({ type, id, attributes: { title } }: SavedObject, error: ImportError | undefined) {
  return error === undefined ? [] : [{ id, type, title, meta: { title }, error }];
}

function storedOf({ type, id, attributes: { title } }: SavedObject): Stored {
  return { type, id, title };
}

function failure(status: number, error: string, message: string): Failure {
  return { status, body: JSON.stringify({ statusCode: status, error, message }) };
}

function parseLines(text: string): SavedObject[] | undefined {
  try {
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => SavedObject.parse(JSON.parse(line)));
  } catch {
    return undefined;
  }
}

function keyOf({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type}:${id}`;
}

function newerVersion({ id, type, migrationVersion }: SavedObject): string | undefined {
  const given = migrationVersion[type];
  const known = MIGRATIONS.get(type);
  if (
    given === undefined ||
    known === undefined ||
    given.localeCompare(known, "en", { numeric: true }) <= 0
  ) {
    return undefined;
  }
  return `Document "${id}" has property "${type}" which belongs to a more recent version of OpenSearch Dashboards [${given}]. The last known version is [${known}]`;
}
