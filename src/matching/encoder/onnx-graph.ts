import protobuf from "protobufjs/light.js";

/** The types of ONNX that are used here, by their numbers in the format. */
const TENSOR_TYPES = { float: 1, uint8: 2, int8: 3, int64: 7 } as const;
type TensorType = keyof typeof TENSOR_TYPES;

const ATTRIBUTE_FLOAT = 1;
const ATTRIBUTE_INT = 2;

/** Version 8 of the format and version 17 of the operators, which ONNX Runtime has read since 2022. */
const IR_VERSION = 8;
const OPERATORS_VERSION = 17;

/** ONNX Runtime's own operators, of which this one is used. */
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
  readonly #nodes: object[] = [];
  readonly #constants: object[] = [];
  readonly #inputs: object[] = [];

  /** Declares an input and returns its name. */
  input(name: string, type: TensorType, shape: readonly Dimension[]): string {
    this.#inputs.push(valueInfo(name, type, shape));
    return name;
  }

  /** Adds a constant and returns its name. */
  constant(shape: readonly number[], values: Values): string {
    const name = `constant${this.#constants.length}`;
    const rawData = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.#constants.push({ dims: shape, dataType: TENSOR_TYPES[typeOf(values)], name, rawData });
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
    const attribute = Object.entries(attributes).map(([key, value]) =>
      Number.isInteger(value)
        ? { name: key, i: value, type: ATTRIBUTE_INT }
        : { name: key, f: value, type: ATTRIBUTE_FLOAT },
    );
    const domain = OWN_OPERATORS.has(operator) ? OWN_DOMAIN : "";
    this.#nodes.push({ opType: operator, domain, input: inputs, output: [name], attribute });
    return name;
  }

  /** The bytes of the model with one output of floats. */
  toBytes(name: string, output: { readonly name: string; readonly shape: readonly Dimension[] }): Uint8Array {
    const message = Model.fromObject({
      irVersion: IR_VERSION,
      opsetImport: [{ version: OPERATORS_VERSION }, { domain: OWN_DOMAIN, version: OWN_OPERATORS_VERSION }],
      graph: {
        name,
        node: this.#nodes,
        initializer: this.#constants,
        input: this.#inputs,
        output: [valueInfo(output.name, "float", output.shape)],
      },
    });
    return Model.encode(message).finish();
  }
}

type Values = Float32Array | Uint8Array | Int8Array | BigInt64Array;

function typeOf(values: Values): TensorType {
  if (values instanceof Float32Array) return "float";
  if (values instanceof BigInt64Array) return "int64";
  return values instanceof Int8Array ? "int8" : "uint8";
}

function valueInfo(name: string, type: TensorType, shape: readonly Dimension[]): object {
  const dim = shape.map((size) => (typeof size === "number" ? { dimValue: size } : { dimParam: size }));
  return { name, type: { tensorType: { elemType: TENSOR_TYPES[type], shape: { dim } } } };
}

/** The messages of the format with the members that are written here, by their field numbers. */
const Model = protobuf.Root.fromJSON({
  nested: {
    Attribute: {
      fields: {
        name: { type: "string", id: 1 },
        f: { type: "float", id: 2 },
        i: { type: "int64", id: 3 },
        type: { type: "int32", id: 20 },
      },
    },
    Node: {
      fields: {
        input: { rule: "repeated", type: "string", id: 1 },
        output: { rule: "repeated", type: "string", id: 2 },
        opType: { type: "string", id: 4 },
        attribute: { rule: "repeated", type: "Attribute", id: 5 },
        domain: { type: "string", id: 7 },
      },
    },
    Tensor: {
      fields: {
        dims: { rule: "repeated", type: "int64", id: 1 },
        dataType: { type: "int32", id: 2 },
        name: { type: "string", id: 8 },
        rawData: { type: "bytes", id: 9 },
      },
    },
    Dimension: { fields: { dimValue: { type: "int64", id: 1 }, dimParam: { type: "string", id: 2 } } },
    Shape: { fields: { dim: { rule: "repeated", type: "Dimension", id: 1 } } },
    TensorType: { fields: { elemType: { type: "int32", id: 1 }, shape: { type: "Shape", id: 2 } } },
    Type: { fields: { tensorType: { type: "TensorType", id: 1 } } },
    ValueInfo: { fields: { name: { type: "string", id: 1 }, type: { type: "Type", id: 2 } } },
    Graph: {
      fields: {
        node: { rule: "repeated", type: "Node", id: 1 },
        name: { type: "string", id: 2 },
        initializer: { rule: "repeated", type: "Tensor", id: 5 },
        input: { rule: "repeated", type: "ValueInfo", id: 11 },
        output: { rule: "repeated", type: "ValueInfo", id: 12 },
      },
    },
    OperatorSet: { fields: { domain: { type: "string", id: 1 }, version: { type: "int64", id: 2 } } },
    Model: {
      fields: {
        irVersion: { type: "int64", id: 1 },
        graph: { type: "Graph", id: 7 },
        opsetImport: { rule: "repeated", type: "OperatorSet", id: 8 },
      },
    },
  },
}).lookupType("Model");
