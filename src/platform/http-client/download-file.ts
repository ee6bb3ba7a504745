import { type FileHandle, open, readFile, rename, rm, stat } from "node:fs/promises";
import { z } from "zod";
import { writeWhole } from "../write-whole.ts";
import { type HttpAccess, HttpFailure, politeRequest, type Reply } from "./polite-request.ts";

/** A server's identifiers of a version of a file, by which it can skip sending the same version again. */
export const FileVersion = z.object({ etag: z.string().nullable(), lastModified: z.string().nullable() });
export type FileVersion = z.infer<typeof FileVersion>;

type Download = { readonly kind: "unchanged" } | { readonly kind: "fetched"; readonly version: FileVersion };

export type DownloadOptions = {
  /** The version at the path, if any. The server may then answer that nothing has changed. */
  readonly known?: FileVersion | undefined;
  /** Called with the bytes received so far and the total, if the server states it. */
  readonly onBytes?: (done: number, total: number | undefined) => void;
};

/** A connection that brings less than this in this time counts as broken: a server that sends a byte a second never ends. */
const IDLE_TIMEOUT_MS = 60_000;
const PROGRESS_BYTES_MIN = 64 * 1024;

/** The record of an interrupted download. A later one resumes it only for the same version. */
const Part = FileVersion.extend({ url: z.string() });
type Part = z.infer<typeof Part>;

/** Downloads a file to a path once it is complete, or resumes an earlier attempt. @throws HttpFailure, also for a web page */
export async function downloadFile(
  access: HttpAccess,
  url: URL,
  path: string,
  { known, onBytes }: DownloadOptions = {},
): Promise<Download> {
  const target = { partPath: `${path}.part`, aboutPath: `${path}.part.json`, onBytes };
  let resumed = await resumable(url, target);
  const headers = () => ({
    // The length of a compressed body differs from the header, and its download can't be resumed.
    "accept-encoding": "identity",
    ...(resumed === undefined
      ? conditions(known)
      : { range: `bytes=${resumed.bytes}-`, "if-range": resumed.validator }),
  });
  const request = {
    url,
    accept: "*/*",
    headers,
    handledStatuses: [206, 304, 416],
    timeoutMs: IDLE_TIMEOUT_MS,
  };
  const result = await politeRequest(access, request, async (response, alive) => {
    try {
      return await receive(url, response, resumed?.bytes ?? 0, { ...target, alive });
    } finally {
      resumed = await resumable(url, target);
    }
  });
  if (result.kind === "fetched") await rename(target.partPath, path);
  await rm(target.partPath, { force: true });
  await rm(target.aboutPath, { force: true });
  return result;
}

type Target = {
  readonly partPath: string;
  readonly aboutPath: string;
  readonly onBytes?: DownloadOptions["onBytes"];
};

type Resumed = { readonly bytes: number; readonly validator: string };

/** The part of an interrupted download, if it has a validator by which the server can tell that the file is the same. */
async function resumable(url: URL, { partPath, aboutPath }: Target): Promise<Resumed | undefined> {
  try {
    const about = Part.parse(JSON.parse(await readFile(aboutPath, "utf8")));
    const validator = strongValidator(about);
    const { size } = await stat(partPath);
    return about.url === url.href && validator !== null && size > 0 ? { bytes: size, validator } : undefined;
  } catch {
    return undefined;
  }
}

/** A weak tag says that two files mean the same, not that their bytes are the same. */
function strongValidator({ etag, lastModified }: FileVersion): string | null {
  if (etag !== null && !etag.startsWith("W/")) return etag;
  return etag === null ? lastModified : null;
}

function conditions(known: FileVersion | undefined): Record<string, string> {
  if (known?.etag != null) return { "if-none-match": known.etag };
  return known?.lastModified != null ? { "if-modified-since": known.lastModified } : {};
}

async function receive(
  url: URL,
  response: Response,
  offset: number,
  target: Target & { readonly alive: () => void },
): Promise<Reply<Download>> {
  if (response.status === 304) return { kind: "answer", value: { kind: "unchanged" } };
  if (response.status === 416 || (response.status === 206 && !continuesAt(response, offset))) {
    await response.body?.cancel();
    await rm(target.partPath, { force: true });
    return { kind: "busy", reason: `${url.host} could not resume an interrupted download` };
  }
  if (/^text\/html\b/i.test(response.headers.get("content-type") ?? "")) {
    await response.body?.cancel();
    throw new HttpFailure(`${url.host} answered with a web page instead of the file`);
  }
  const version = {
    etag: response.headers.get("etag"),
    lastModified: response.headers.get("last-modified"),
  };
  const part: Part = { ...version, url: url.href };
  const start = response.status === 206 ? offset : 0;
  const file = await open(target.partPath, start === 0 ? "w" : "a");
  try {
    await writeWhole(target.aboutPath, JSON.stringify(part));
    await store(url, response, file, start, target);
  } finally {
    await file.close();
  }
  return { kind: "answer", value: { kind: "fetched", version } };
}

function continuesAt(response: Response, offset: number): boolean {
  return response.headers.get("content-range")?.startsWith(`bytes ${offset}-`) ?? false;
}

async function store(
  url: URL,
  response: Response,
  file: FileHandle,
  start: number,
  { alive, onBytes }: Target & { readonly alive: () => void },
): Promise<void> {
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  const total = Number.isNaN(length) ? undefined : start + length;
  let done = start;
  let reported = start;
  for await (const piece of response.body ?? []) {
    await file.writeFile(piece);
    done += piece.length;
    if (done - reported >= PROGRESS_BYTES_MIN) {
      alive();
      reported = done;
    }
    onBytes?.(done, total);
  }
  if (done === 0) throw new HttpFailure(`${url.host} answered with an empty file`);
}
