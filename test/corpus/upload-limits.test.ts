import { expect } from "chai";
import { DocumentMetadata } from "../../src/corpus/api/schema.ts";
import { expectProblem } from "../support/expect-problem.ts";
import { useEngine } from "../support/use-engine.ts";

const UPLOAD = "/v1/corpus/documents";
const MIB = 1024 * 1024;

describe("decisions, Engine: corpus: the limits of an upload", () => {
  const standard = useEngine({ roles: ["engine"] });
  const generous = useEngine({ roles: ["engine"], corpusUploadLimitBytes: 24 * MIB });

  it("a file of exactly 10 MiB is accepted, one byte more is 413", async () => {
    const { client } = standard;
    const bytes = Buffer.alloc(10 * MIB, "word ");
    const taken = await client.upload(UPLOAD, { name: "large.txt", content: bytes });
    expect(taken.status).to.equal(201);
    expect(DocumentMetadata.parse(await taken.json())).to.deep.include({
      size_bytes: 10 * MIB,
      char_count: 10 * MIB,
    });
    const refused = await client.upload(UPLOAD, {
      name: "larger.txt",
      content: Buffer.concat([bytes, Buffer.from("!")]),
    });
    expect((await expectProblem(refused, 413, "body-too-large")).detail).to.include("10 MiB");
  });

  it("CORPUS_UPLOAD_LIMIT_BYTES moves the limit; more than 20 million extracted characters are 422", async () => {
    const { client } = generous;
    const content = Buffer.alloc(20_000_001, "word ");
    const refused = await client.upload(UPLOAD, { name: "book.txt", content });
    expect((await expectProblem(refused, 422, "text-too-long")).detail).to.match(
      /20[,.]?000[,.]?000|20 million/,
    );
    const larger = await client.upload(UPLOAD, {
      name: "larger.txt",
      content: Buffer.alloc(24 * MIB + 1, "word "),
    });
    await expectProblem(larger, 413, "body-too-large");
  });
});
