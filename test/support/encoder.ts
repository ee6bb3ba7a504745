import { join } from "node:path";
import type { EncoderFiles } from "../../src/matching/encoder/encoder-files.ts";
import { EncoderUnavailable } from "../../src/matching/encoder/sentence-encoder.ts";
import { prepareEncoder } from "../../tools/encoder/prepare-encoder.ts";
import type { EngineClient } from "./client.ts";

/** Where tests and measurements keep the encoder; it is fetched once. */
export const ENCODER_DATA_DIR = join(import.meta.dirname, "..", "..", ".data");

/** Waits until a new service has its model: a batch that is read before is compared by words alone. */
export async function adoptModel(client: EngineClient): Promise<void> {
  const { document_id } = await client.addDocument(
    "first.txt",
    "The first document of a new service has one sentence.",
  );
  await client.encoded([document_id]);
}

/** The encoder's files. Without them the tests of the enclosing `describe` are skipped, unless REQUIRE_ENCODER is 1. */
export function useEncoderFiles(): { readonly files: EncoderFiles } {
  let found: EncoderFiles | undefined;
  before(async function () {
    this.timeout(300_000);
    try {
      found = await prepareEncoder(join(ENCODER_DATA_DIR, "encoder"), { say: () => undefined });
    } catch (error) {
      if (!(error instanceof EncoderUnavailable) || process.env.REQUIRE_ENCODER === "1") throw error;
      console.warn(`      skipped: the encoder is not available (${error.message})`);
      this.skip();
    }
  });
  return {
    get files() {
      if (found === undefined)
        throw new Error("use the encoder's files in the hooks and tests of its describe only");
      return found;
    },
  };
}
