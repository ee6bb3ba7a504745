/** What a statement does, by its first word: a name to count and to trace by, which holds nothing of its values. */
export function operationOf(statement: string): string {
  const [, word = ""] = /^\s*(\w+)/.exec(statement) ?? [];
  const operation = word.toLowerCase();
  if (operation === "with") return mainVerb(statement);
  return OPERATIONS.has(operation) ? operation : "other";
}

/** All that the service's own statements begin with, but for what a migration or a maintenance does. */
const OPERATIONS: ReadonlySet<string> = new Set(["select", "insert", "update", "delete", "begin", "commit"]);

/** A statement with parts changes something if any of them does. */
function mainVerb(statement: string): string {
  const [, verb = "select"] = /\(\s*(insert|update|delete)\b/i.exec(statement) ?? [];
  return verb.toLowerCase();
}
