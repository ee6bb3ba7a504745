import { readFileSync } from "node:fs";
import { z } from "zod";

const MANIFEST = new URL("../../package.json", import.meta.url);

/** The version of this release, as in the package's manifest. */
export const RELEASE: string = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(MANIFEST, "utf8"))).version;
