import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The SHA-256 of a file, in hexadecimal digits. */
export function fileHash(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
