import { OnnxGraph } from "./onnx-graph.ts";

/**
 * The multiplication of s vectors by k centroids of n dimensions as an ONNX model: `vectors` float[s, n] and `centroids`
 * float[k, n] give `cosines` float[s, k]. `src/matching/encoder/use-encoder.ts` contains its bytes.
 */
export function cosinesGraph(): Uint8Array {
  const graph = new OnnxGraph();
  const inputs = [graph.input("vectors", "float", ["s", "n"]), graph.input("centroids", "float", ["k", "n"])];
  graph.apply("Gemm", inputs, { transB: 1 }, "cosines");
  return graph.toBytes("nearest-centroids", { name: "cosines", shape: ["s", "k"] });
}
