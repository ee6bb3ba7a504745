/** The types of ONNX that are used here, by their numbers in the format. */
const TENSOR_TYPES = { float: 1, uint8: 2, int8: 3, int64: 7 } as const;
type TensorType = keyof typeof TENSOR_TYPES;

const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;

/** Version 8 of the format and version 17 of the operators, which ONNX Runtime has read since 2022. */
const IR_VERSION = 8;
const OPERATORS_VERSION = 17;

/** The domain of ONNX Runtime's own operators. */
const OWN_DOMAIN = "com.microsoft";
const OWN_OPERATORS_VERSION = 1;
const OWN_OPERATORS: ReadonlySet<string> = new Set(["MatMulIntegerToFloat"]);

/** A size of an input; a name stands for one that each run decides. */
type Dimension = number | string;

/**
 * Writes a computation in the ONNX format (`onnx.proto3` of the ONNX project), as far as a sentence encoder needs it.
 * No maintained package of npm does: onnx-proto was last released in 2022.
 */
export class OnnxGraph {
  readonly #nodes: Field[] = [];
  readonly #constants: Field[] = [];
  readonly #inputs: Field[] = [];

  /** Declares an input and returns its name. */
  input(name: string, type: TensorType, shape: readonly Dimension[]): string {
    this.#inputs.push(bytesField(11, valueInfo(name, type, shape)));
    return name;
  }

  /** Adds a constant and returns its name. */
  constant(shape: readonly number[], values: Values): string {
    const name = `constant${this.#constants.length}`;
    const rawData = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const tensor = message(
      ...(shape.length === 0 ? [] : [bytesField(1, message(...shape.map(varint)))]),
      numberField(2, TENSOR_TYPES[typeOf(values)]),
      textField(8, name),
      bytesField(9, rawData),
    );
    this.#constants.push(bytesField(5, tensor));
    return name;
  }

  /** Adds a list of whole numbers and returns its name. */
  indices(...values: readonly number[]): string {
    return this.constant([values.length], BigInt64Array.from(values, BigInt));
  }

  /** Adds an operation and returns the name of its result. Attributes that end in a decimal part are floats. */
  apply(
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, number>> = {},
    name = `result${this.#nodes.length}`,
  ): string {
    const node = message(
      ...inputs.map((input) => textField(1, input)),
      textField(2, name),
      textField(4, operator),
      ...Object.entries(attributes).map(([key, value]) => bytesField(5, attribute(key, value))),
      textField(7, OWN_OPERATORS.has(operator) ? OWN_DOMAIN : ""),
    );
    this.#nodes.push(bytesField(1, node));
    return name;
  }

  /** The bytes of the model with one output of floats. */
  toBytes(name: string, output: { readonly name: string; readonly shape: readonly Dimension[] }): Uint8Array {
    const graph = message(
      ...this.#nodes,
      textField(2, name),
      ...this.#constants,
      ...this.#inputs,
      bytesField(12, valueInfo(output.name, "float", output.shape)),
    );
    return message(
      numberField(1, IR_VERSION),
      bytesField(7, graph),
      bytesField(8, message(numberField(2, OPERATORS_VERSION))),
      bytesField(8, message(textField(1, OWN_DOMAIN), numberField(2, OWN_OPERATORS_VERSION))),
    );
  }
}

function attribute(name: string, value: number): Uint8Array {
  return Number.isInteger(value)
    ? message(textField(1, name), numberField(3, value), numberField(20, ATTRIBUTE_INT))
    : message(textField(1, name), floatField(2, value), numberField(20, ATTRIBUTE_FLOAT));
}

function valueInfo(name: string, type: TensorType, shape: readonly Dimension[]): Uint8Array {
  const sizes = shape.map((size) =>
    bytesField(1, message(typeof size === "number" ? numberField(1, size) : textField(2, size))),
  );
  const tensor = message(numberField(1, TENSOR_TYPES[type]), bytesField(2, message(...sizes)));
  return message(textField(1, name), bytesField(2, message(bytesField(1, tensor))));
}

type Values = Float32Array | Uint8Array | Int8Array | BigInt64Array;

function typeOf(values: Values): TensorType {
  if (values instanceof Float32Array) return "float";
  if (values instanceof BigInt64Array) return "int64";
  return values instanceof Int8Array ? "int8" : "uint8";
}

/** The bytes of a field: its number, the kind of its value, and the value. ONNX uses the encoding of Protocol Buffers. */
type Field = Uint8Array;

const VARINT = 0;
const LENGTH_AND_BYTES = 2;
const FOUR_BYTES = 5;

function message(...fields: readonly Field[]): Uint8Array {
  return Buffer.concat(fields);
}

/** Nothing for 0: a missing number means 0. */
function numberField(number: number, value: number): Field {
  return value === 0 ? message() : message(varint((number << 3) | VARINT), varint(value));
}

function floatField(number: number, value: number): Field {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return message(varint((number << 3) | FOUR_BYTES), bytes);
}

/** Nothing for an empty text: a missing text means an empty one. */
function textField(number: number, text: string): Field {
  return text === "" ? message() : bytesField(number, Buffer.from(text));
}

function bytesField(number: number, bytes: Uint8Array): Field {
  return message(varint((number << 3) | LENGTH_AND_BYTES), varint(bytes.length), bytes);
}

/** A whole number, seven bits to a byte; a negative one as its 64 bits. */
function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.from([...bytes, Number(rest)]);
}
