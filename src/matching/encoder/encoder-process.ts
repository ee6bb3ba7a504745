/** The program that `local-encoder.ts` starts with the encoder's files: it answers one request after another. */
import process from "node:process";
import { z } from "zod";
import type { NearCentroid } from "../meaning/centroids.ts";
import { createNearestCentroids, loadUseEncoder } from "./use-encoder.ts";

const Floats = z.custom<Float32Array>((value) => value instanceof Float32Array);

/** Sentences to encode, vectors whose nearest centroids are sought, or the centroids for all later requests. */
export const EncoderRequest = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("encode"), sentences: z.array(z.string()) }),
  z.object({ kind: z.literal("nearest"), vectors: Floats, count: z.int() }),
  z.object({ kind: z.literal("centroids"), values: Floats, dimensions: z.int() }),
]);
export type EncoderRequest = z.infer<typeof EncoderRequest>;

/** What a request is answered with: vectors, nearest centroids, or nothing for centroids. */
export type EncoderResult = Float32Array | readonly (readonly NearCentroid[])[] | undefined;

// Ctrl-C reaches the whole process group; the service decides when this process ends, by closing the channel.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
process.on("disconnect", () => process.exit());

const [, , graph = "", pieceTable = "", pieces = ""] = process.argv;

try {
  const encode = await loadUseEncoder({ graph, pieceTable, pieces });
  let nearest = await createNearestCentroids({ values: new Float32Array(), dimensions: 1 });
  const answer = async (request: EncoderRequest): Promise<EncoderResult> => {
    switch (request.kind) {
      case "encode":
        return encode(request.sentences);
      case "nearest":
        return nearest(request.vectors, request.count);
      case "centroids":
        nearest = await createNearestCentroids(request);
        return undefined;
    }
  };
  process.on("message", async (message) => {
    try {
      process.send?.({ kind: "result", value: await answer(EncoderRequest.parse(message)) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      // After a trap, the memory of the tokeniser is in an unknown state: the next request needs a new process.
      process.send?.({ kind: "failed", message }, () => {
        if (error instanceof Error && error.name === "RuntimeError") process.exit(1);
      });
    }
  });
  process.send?.({ kind: "ready" });
} catch (error) {
  // The channel must have taken the message before the process ends.
  const message = error instanceof Error ? error.message : String(error);
  process.send?.({ kind: "failed", message }, () => process.exit(1));
}
