import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { openPromise } from "yauzl";
import { z } from "zod";
import { DomainError } from "../../../platform/domain-error.ts";
import { errorMessage } from "../../../platform/error-code.ts";
import { downloadFile } from "../../../platform/http-client/download-file.ts";
import { HttpFailure, politeRequest, readText } from "../../../platform/http-client/polite-request.ts";
import { writeWhole } from "../../../platform/write-whole.ts";
import {
  downloadProgress,
  type FetchContext,
  type FetchedPart,
  httpAccess,
  readAnswer,
} from "../fetching/fetch-context.ts";

/** Between the two requests of a release. */
const PAUSE_MS = 1_000;

/** The newest release of the dump, a record of Zenodo. */
const ZenodoRecord = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  metadata: z.object({ version: z.string().optional() }).optional(),
  files: z
    .array(z.object({ key: z.string(), checksum: z.string(), links: z.object({ self: z.url() }) }))
    .min(1),
});
type ZenodoRecord = z.infer<typeof ZenodoRecord>;
type DumpFile = ZenodoRecord["files"][number];

const State = z.object({ checksum: z.string() });

/** The newest release of ROR's dump, verified by Zenodo's checksum and fetched once. @throws HttpFailure; the signal's reason. */
export async function fetchOrganisations(context: FetchContext): Promise<FetchedPart> {
  const { folder, settings, now } = context;
  const record = await newestRelease(context, new URL(settings.rorDumpUrl));
  const dump = dumpIn(record);
  const file = await folder.file("ror-data.json");
  const state = await folder.readState(State, file);
  const release = `release ${record.metadata?.version ?? record.id}`;
  if (state?.checksum !== dump.checksum) {
    await fetchDump(context, dump, file);
    await folder.writeState({ checksum: dump.checksum });
  }
  return {
    file,
    retrievedAt: now(),
    origin: {
      name: `Research Organization Registry, ${release}`,
      license: "CC0-1.0",
      url: "https://ror.org/",
    },
    notes: [`${release} (${dump.key})`],
  };
}

async function newestRelease(context: FetchContext, url: URL): Promise<ZenodoRecord> {
  const request = { url, accept: "application/json" };
  return politeRequest(httpAccess(context, PAUSE_MS), request, async (response) => {
    const text = await readText(response);
    return { kind: "answer", value: readAnswer(url.host, () => ZenodoRecord.parse(JSON.parse(text))) };
  });
}

/** A release is an archive, or a plain JSON file. */
function dumpIn({ id, files }: ZenodoRecord): DumpFile {
  const dump =
    files.find(({ key }) => /ror-data.*\.zip$/i.test(key)) ??
    files.find(({ key }) => /ror-data.*\.json$/i.test(key));
  if (dump !== undefined) return dump;
  throw new HttpFailure(`record ${id} has no dump of ROR: ${files.map(({ key }) => key).join(", ")}`);
}

async function fetchDump(context: FetchContext, dump: DumpFile, file: string): Promise<void> {
  const { folder, onProgress } = context;
  const fetched = await folder.file(dump.key.replaceAll(/[^\w.-]/g, "_"));
  const url = new URL(dump.links.self);
  await downloadFile(httpAccess(context, PAUSE_MS), url, fetched, { onBytes: downloadProgress(onProgress) });
  try {
    await verify(fetched, dump.checksum, url.host);
    if (dump.key.toLowerCase().endsWith(".zip")) await unzipRecords(fetched, file);
    else await rename(fetched, file);
  } finally {
    await rm(fetched, { force: true });
  }
}

/** @param checksum an algorithm and a hexadecimal sum, `md5:0cc175b9…`. */
async function verify(file: string, checksum: string, host: string): Promise<void> {
  const [algorithm = "", sum] = checksum.split(":");
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file), hash);
  if (hash.digest("hex") !== sum)
    throw new HttpFailure(`the download from ${host} is damaged: its checksum is wrong`);
}

/** A release may contain the records in two schemas; the name of the second one's file says so. */
const SECOND_SCHEMA = /ror-data_schema_v2\.json$/i;
const ONLY_SCHEMA = /ror-data\.json$/i;

/**
 * Unpacks the JSON file with the v2 records of ROR's archive to a path, in constant memory. The path changes only when the
 * file is complete. @throws DomainError `unreadable_file` when the archive is damaged or has no such file.
 */
async function unzipRecords(archive: string, path: string): Promise<void> {
  try {
    const zip = await openPromise(archive, { lazyEntries: true, autoClose: false });
    try {
      const entries = await Array.fromAsync(zip.eachEntry());
      const named = (pattern: RegExp) => entries.find(({ fileName }) => pattern.test(fileName));
      const records = named(SECOND_SCHEMA) ?? named(ONLY_SCHEMA);
      if (records === undefined) {
        const names = entries.map(({ fileName }) => fileName).join(", ");
        throw new DomainError("unreadable_file", `ROR's archive has no file of records: ${names}`);
      }
      await writeWhole(path, await zip.openReadStreamPromise(records));
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const reason = errorMessage(error);
    throw new DomainError("unreadable_file", `ROR's archive can't be unpacked: ${reason}`, { cause: error });
  }
}
