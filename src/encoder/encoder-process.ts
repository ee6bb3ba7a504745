/** The program that `local-encoder.ts` starts with the encoder's files: it encodes one batch of sentences after another. */
import process from "node:process";
import { z } from "zod";
import { loadUseEncoder } from "./use-encoder.ts";

// Ctrl-C reaches the whole process group; the service decides when this process ends, by closing the channel.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
process.on("disconnect", () => process.exit());

const [, , graph = "", pieces = ""] = process.argv;
const Batch = z.array(z.string());

try {
  const encode = await loadUseEncoder({ graph, pieces });
  process.on("message", async (message) => {
    try {
      process.send?.({ kind: "vectors", values: await encode(Batch.parse(message)) });
    } catch (error) {
      process.send?.({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
    }
  });
  process.send?.({ kind: "ready" });
} catch (error) {
  // The channel must have taken the message before the process ends.
  const message = error instanceof Error ? error.message : String(error);
  process.send?.({ kind: "failed", message }, () => process.exit(1));
}
