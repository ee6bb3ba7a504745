import { readFile } from "node:fs/promises";
import { z } from "zod";
import { ConfigError, DomainError } from "../../src/platform/domain-error.ts";

const DASHBOARDS_FILE = new URL("../../index-templates/dashboards.ndjson", import.meta.url);

/** Begins the names of indices and the identifiers of objects in the file, which can be imported by hand as it is. */
const PREFIX_IN_FILE = "similarity-";

/** Dashboards that has just started may first make its own index; it answers at once otherwise. */
const IMPORT_TIMEOUT_MS = 60_000;

/** An OpenSearch Dashboards, with the path below which it is served, if there is one. */
export type DashboardsServer = {
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** The tenant of the security plugin: `global` or a name. By default, the user's default tenant. */
  readonly tenant?: string | undefined;
};

export type ImportOutcome = {
  /** True when Dashboards has stored all of them. */
  readonly complete: boolean;
  /** The sent objects, as `type: title`. */
  readonly objects: readonly string[];
  /** The objects that Dashboards refused. Then it may have stored none of the others either, even if it reports success. */
  readonly refused: readonly { readonly object: string; readonly reason: string }[];
};

/** The saved objects for an installation with this index prefix, one JSON object a line. */
export async function readSavedObjects(prefix: string): Promise<string> {
  const text = await readFile(DASHBOARDS_FILE, "utf8");
  return text.replaceAll(PREFIX_IN_FILE, prefix);
}

/**
 * Imports saved objects into Dashboards; objects of an earlier import are replaced.
 * @throws ConfigError when no Dashboards answers or it does not let us in, DomainError when it is not ready or refuses
 * the whole file.
 */
export async function importSavedObjects(
  savedObjects: string,
  server: DashboardsServer,
): Promise<ImportOutcome> {
  const response = await send(savedObjects, server);
  const text = await response.text();
  if (!response.ok) throw refusal(response.status, text, server.url);
  const answer = Answer.safeParse(parseJson(text));
  if (!answer.success) throw notDashboards(server.url, `its answer is ${text.slice(0, ANSWER_SHOWN)}`);
  const { success, successCount, errors } = answer.data;
  const objects = namesIn(savedObjects);
  return {
    // With missing references it counts the other objects as imported and keeps none: OpenSearch-Dashboards issue 12657.
    complete: success && errors.length === 0 && successCount === objects.length,
    objects,
    refused: errors.map((entry) => ({ object: nameOf(entry), reason: reasonOf(entry.error) })),
  };
}

async function send(
  savedObjects: string,
  { url, username, password, tenant }: DashboardsServer,
): Promise<Response> {
  const form = new FormData();
  // Dashboards goes by the extension of the file's name.
  form.append("file", new Blob([savedObjects], { type: "application/x-ndjson" }), "dashboards.ndjson");
  const base = url.endsWith("/") ? url : `${url}/`;
  try {
    return await fetch(new URL("api/saved_objects/_import?overwrite=true", base), {
      method: "POST",
      headers: {
        // Dashboards refuses writes without it: no browser sends it of itself to another site.
        "osd-xsrf": "true",
        ...(username !== undefined && { authorization: basic(username, password ?? "") }),
        ...(tenant !== undefined && { securitytenant: tenant }),
      },
      body: form,
      redirect: "manual",
      signal: AbortSignal.timeout(IMPORT_TIMEOUT_MS),
    });
  } catch (error) {
    throw new ConfigError(
      `No OpenSearch Dashboards answers at ${url} (${causeOf(error)}). Is it running there? Name another place with --url.`,
      { cause: error },
    );
  }
}

const ImportError = z.looseObject({
  type: z.string(),
  message: z.string().optional(),
  references: z.array(z.looseObject({ type: z.string(), id: z.string() })).optional(),
});

const Answer = z.looseObject({
  success: z.boolean(),
  successCount: z.number(),
  errors: z
    .array(
      z.looseObject({
        id: z.string(),
        type: z.string(),
        title: z.string().optional(),
        meta: z.looseObject({ title: z.string().optional() }).optional(),
        error: ImportError,
      }),
    )
    .default([]),
});

const SavedObject = z.looseObject({ type: z.string(), attributes: z.looseObject({ title: z.string() }) });
const Failure = z.looseObject({ message: z.string() });

/** Enough of an unexpected answer to recognise it. */
const ANSWER_SHOWN = 200;

function refusal(status: number, text: string, url: string): Error {
  const message = Failure.safeParse(parseJson(text)).data?.message ?? text.slice(0, ANSWER_SHOWN);
  if (status === 401 || status === 403) {
    return new ConfigError(
      `OpenSearch Dashboards at ${url} does not let us in (HTTP status ${status}: ${message}). Check --username and --password; the user needs to be allowed to write in Dashboards.`,
    );
  }
  if (status === 503) {
    const advice = `OpenSearch Dashboards at ${url} is not ready (${message}). Try again in a moment.`;
    return new DomainError("store_unavailable", advice);
  }
  if (status === 404 || (status >= 300 && status < 400)) return notDashboards(url, `HTTP status ${status}`);
  return new DomainError(
    "invalid_input",
    `OpenSearch Dashboards refused the import (HTTP status ${status}): ${message}`,
  );
}

function notDashboards(url: string, seen: string): ConfigError {
  return new ConfigError(
    `There is no OpenSearch Dashboards at ${url} (${seen}). Give its address with --url, with its base path if it has one, and --username and --password if it asks for them.`,
  );
}

function namesIn(savedObjects: string): string[] {
  const lines = savedObjects.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const { type, attributes } = SavedObject.parse(JSON.parse(line));
    return `${type}: ${attributes.title}`;
  });
}

function nameOf(entry: z.output<typeof Answer>["errors"][number]): string {
  return `${entry.type}: ${entry.meta?.title ?? entry.title ?? entry.id}`;
}

function reasonOf({ type, message, references }: z.output<typeof ImportError>): string {
  if (references === undefined) return message ?? type;
  const missing = new Set(references.map((one) => `${one.type} ${one.id}`));
  return `${type}: ${[...missing].join(", ")}`;
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** fetch says only that it failed. Its cause has the reason, without a message if several addresses were tried. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  return cause.message || ("code" in cause ? String(cause.code) : cause.name);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
