/** The code of an error of Node.js or PostgreSQL, such as `ENOENT` or `40P01`; empty for an error without a code. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** The message of a thrown value, which need not be an error. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
