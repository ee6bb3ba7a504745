import { unzipSync } from "fflate";

/** An array of numbers in row-major order; `shape` is empty for a single number. */
export type NumberArray = {
  readonly shape: readonly number[];
  readonly values: Float32Array | Float64Array | Int8Array | Uint8Array;
};

/**
 * Reads the arrays of a NumPy archive (`.npz`) whose numbers are little-endian floats or bytes.
 * The format is NEP 1 (Kern, 2007). @throws Error naming the array that can't be read.
 */
export function readNumberArrays(archive: Uint8Array): Map<string, NumberArray> {
  const arrays = new Map<string, NumberArray>();
  for (const [file, bytes] of Object.entries(unzipSync(archive))) {
    const name = file.replace(/\.npy$/, "");
    arrays.set(name, readNumberArray(name, bytes));
  }
  return arrays;
}

const MAGIC = "\x93NUMPY";

/** Where the header's length stands in version 1 of the format, and where the header begins. */
const LENGTH_AT = 8;
const HEADER_AT = 10;

function readNumberArray(name: string, bytes: Uint8Array): NumberArray {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (Buffer.from(bytes.subarray(0, MAGIC.length)).toString("latin1") !== MAGIC || bytes[6] !== 1)
    throw new Error(`the array ${name} is not in NumPy's format of version 1`);
  const start = HEADER_AT + view.getUint16(LENGTH_AT, true);
  const header = Buffer.from(bytes.subarray(HEADER_AT, start)).toString("latin1");
  const type = /'descr': '([^']+)'/.exec(header)?.[1];
  const dimensions = /'shape': \(([^)]*)\)/.exec(header)?.[1];
  if (dimensions === undefined || /'fortran_order': True/.test(header))
    throw new Error(`the array ${name} has an unknown order`);
  const shape = dimensions
    .split(",")
    .filter((size) => size.trim() !== "")
    .map(Number);
  // A copy, because typed arrays need aligned bytes.
  return { shape, values: numbersOf(name, type, bytes.slice(start).buffer) };
}

function numbersOf(name: string, type: string | undefined, buffer: ArrayBuffer): NumberArray["values"] {
  switch (type) {
    case "<f4":
      return new Float32Array(buffer);
    case "<f8":
      return new Float64Array(buffer);
    case "|i1":
      return new Int8Array(buffer);
    case "|u1":
      return new Uint8Array(buffer);
    default:
      throw new Error(`the array ${name} has numbers of the unknown type ${type}`);
  }
}
