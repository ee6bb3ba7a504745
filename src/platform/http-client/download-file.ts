import { type FileHandle, open, readFile, rename, rm, stat } from "node:fs/promises";
import { z } from "zod";
import { writeWhole } from "../write-whole.ts";
import { type HttpAccess, HttpFailure, politeRequest, type Reply } from "./polite-request.ts";

/** What a server calls a version of a file, so that it need not send it twice. */
export const FileVersion = z.object({ etag: z.string().nullable(), lastModified: z.string().nullable() });
export type FileVersion = z.infer<typeof FileVersion>;

export type Download =
  | { readonly kind: "unchanged" }
  | { readonly kind: "fetched"; readonly version: FileVersion };

export type DownloadOptions = {
  /** The version that stands at the path; with it, the server may answer that nothing has changed. */
  readonly known?: FileVersion | undefined;
  /** Is told how many bytes are there, of how many where the server says so. */
  readonly onBytes?: (done: number, total: number | undefined) => void;
};

/** A server that sends nothing for so long has forgotten us. */
const IDLE_TIMEOUT_MS = 60_000;

/** What is known of a download that was broken off: a later one goes on only with the very same version. */
const Part = FileVersion.extend({ url: z.string() });
type Part = z.infer<typeof Part>;

/**
 * Downloads a file to a path, in constant memory; the path changes only once the file is whole. What a broken or killed
 * download has fetched is kept beside it, and the next one goes on from there where the server allows it.
 * @throws HttpFailure, also for a web page in the place of the file; the signal's reason.
 */
export async function downloadFile(
  access: HttpAccess,
  url: URL,
  path: string,
  { known, onBytes }: DownloadOptions = {},
): Promise<Download> {
  const target = { partPath: `${path}.part`, aboutPath: `${path}.part.json`, onBytes };
  let resumed = await resumable(url, target);
  const headers = () => ({
    // A packed body would have another length than the header says, and could not be gone on with.
    "accept-encoding": "identity",
    ...(resumed === undefined ? conditions(known) : continuation(resumed)),
  });
  const request = { url, accept: "*/*", headers, understood: [206, 304, 416], timeoutMs: IDLE_TIMEOUT_MS };
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

/** The begun download, when a server can tell by its validator whether it is still the same file. */
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

function continuation({ bytes, validator }: Resumed): Record<string, string> {
  return { range: `bytes=${bytes}-`, "if-range": validator };
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
    return { kind: "busy", reason: `${url.host} could not go on with a download that was broken off` };
  }
  if (/^text\/html\b/i.test(response.headers.get("content-type") ?? "")) {
    await response.body?.cancel();
    throw new HttpFailure(`${url.host} answered with a web page in the place of the file`);
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
  for await (const piece of response.body ?? []) {
    await file.writeFile(piece);
    done += piece.length;
    alive();
    onBytes?.(done, total);
  }
  if (done === 0) throw new HttpFailure(`${url.host} answered with an empty file`);
}
