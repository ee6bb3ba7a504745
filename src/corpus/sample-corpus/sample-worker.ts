import { parentPort, workerData } from "node:worker_threads";
import { type Preparation, type PreparationSettings, prepareSample } from "./prepare-sample.ts";

/** What the thread that prepares the sample tells; the only message it takes is the wish that it stop. */
export type WorkerMessage =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "done"; readonly preparation: Preparation };

const settings: PreparationSettings = workerData;
const stop = new AbortController();
const tell = (message: WorkerMessage) => parentPort?.postMessage(message);

parentPort?.once("message", () => stop.abort());
// Waiting for that wish alone must not keep the thread alive.
parentPort?.unref();

const preparation = await prepareSample(settings, (line) => tell({ kind: "line", line }), stop.signal);
tell({ kind: "done", preparation });
