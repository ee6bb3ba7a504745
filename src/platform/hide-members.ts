/**
 * Leaves members of an error in place for code that looks at them, and out of all that prints, serialises or copies it:
 * Node.js prints whole errors when nobody has caught them, and the queue keeps those of jobs that have failed.
 */
export function hideMembers(error: unknown, names: readonly string[]): void {
  if (!(error instanceof Error)) return;
  for (const name of names) {
    if (Object.hasOwn(error, name)) Object.defineProperty(error, name, { enumerable: false });
  }
}
