import { existsSync } from "node:fs";
import { z } from "zod";
import { downloadFile, FileVersion } from "../../../platform/http-client/download-file.ts";
import { downloadProgress, type FetchContext, type FetchedPart, httpAccess } from "./fetch-context.ts";

const State = z.object({ url: z.string(), version: FileVersion });

/** A download is one request, of which the pause before it does not matter. */
const PAUSE_MS = 0;

/**
 * Fetches a part that is one file on the web; a file that has not changed is not sent again.
 * @throws HttpFailure; the signal's reason.
 */
export async function downloadedPart(
  context: FetchContext,
  address: string,
  fileName: string,
): Promise<FetchedPart> {
  const { folder, onProgress, now } = context;
  const file = await folder.file(fileName);
  const state = existsSync(file) ? await folder.readState(State) : undefined;
  const known = state?.url === address ? state.version : undefined;
  const download = await downloadFile(httpAccess(context, PAUSE_MS), new URL(address), file, {
    known,
    onBytes: downloadProgress(onProgress),
  });
  if (download.kind === "fetched") await folder.writeState({ url: address, version: download.version });
  return { file, retrievedAt: now(), notes: [], refused: () => folder.forgetState() };
}
