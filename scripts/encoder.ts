import { join } from "node:path";
import process from "node:process";
import { readConfig } from "../src/platform/config.ts";
import { prepareEncoder } from "../tools/encoder/prepare-encoder.ts";

// Makes the files of the built-in encoder in the data folder, as the first start does: for machines without a network.
const { graph } = await prepareEncoder(join(readConfig(process.env).dataDir, "encoder"), {
  say: (line) => process.stderr.write(`${line}\n`),
});
process.stdout.write(`${graph}\n`);
