/** The program of the built-in encoder's process, which gets the names of the encoder's files. */
import process from "node:process";
import { z } from "zod";
import { answerRequests } from "../../platform/child-pool/child-program.ts";
import type { NearCentroid } from "../meaning/centroids.ts";
import { createNearestCentroids, loadUseEncoder } from "./use-encoder.ts";

const Floats = z.custom<Float32Array>((value) => value instanceof Float32Array);

/** Sentences to encode, or vectors whose nearest centroids are sought. The centroids stay for later requests. */
const EncoderRequest = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("encode"), sentences: z.array(z.string()) }),
  z.object({
    kind: z.literal("nearest"),
    vectors: Floats,
    count: z.int(),
    centroids: z.object({ values: Floats, dimensions: z.int() }).optional(),
  }),
]);
export type EncoderRequest = z.infer<typeof EncoderRequest>;

/** Vectors, or for each vector its nearest centroids. */
export type EncoderAnswer = Float32Array | readonly (readonly NearCentroid[])[];

const [, , graph = "", pieceTable = "", pieces = ""] = process.argv;

await answerRequests(async () => {
  const encode = await loadUseEncoder({ graph, pieceTable, pieces });
  let nearest = await createNearestCentroids({ values: new Float32Array(), dimensions: 1 });
  return async (message): Promise<EncoderAnswer> => {
    const request = EncoderRequest.parse(message);
    if (request.kind === "encode") return encode(request.sentences);
    if (request.centroids !== undefined) nearest = await createNearestCentroids(request.centroids);
    return nearest(request.vectors, request.count);
  };
});
