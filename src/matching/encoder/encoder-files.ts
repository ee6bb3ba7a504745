import { stat } from "node:fs/promises";
import { join } from "node:path";
import { EncoderUnavailable } from "./sentence-encoder.ts";
import { USE_MODEL } from "./use-model.ts";

/** The paths of the files that the encoder's process loads. */
export type EncoderFiles = { readonly graph: string; readonly pieceTable: string; readonly pieces: string };

export type PrepareOptions = {
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * Gives the encoder's files below a folder. `tools/encoder` makes missing files.
 * @throws EncoderUnavailable when they can't be had, with advice.
 */
export type PrepareEncoder = (folder: string, options: PrepareOptions) => Promise<EncoderFiles>;

/** In the name of the folder: must be raised when the graph changes. */
const FILES_VERSION = 3;

/** Where the files are below a folder, whether they are there or not. */
export function encoderFilesIn(folder: string): EncoderFiles {
  const ready = join(folder, `${USE_MODEL}.${FILES_VERSION}`);
  return {
    graph: join(ready, "model.onnx"),
    pieceTable: join(ready, "piece-table.bytes"),
    pieces: join(ready, "sentence-pieces.model"),
  };
}

export async function areThere(files: EncoderFiles): Promise<boolean> {
  const found = await Promise.all(
    Object.values(files).map((path) =>
      stat(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.every(Boolean);
}

/** For programs without `tools/encoder`: finds the files that `npm start` in a checkout has made. */
export const findEncoder: PrepareEncoder = async (folder) => {
  const files = encoderFilesIn(folder);
  if (await areThere(files)) return files;
  throw new EncoderUnavailable(
    `${folder} has no encoder; npm run encoder in a checkout makes it in the folder encoder of its DATA_DIR`,
  );
};
