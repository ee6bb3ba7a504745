/**
 * The dotted name of the first member whose name or string holds half of a surrogate pair, or undefined when the
 * whole value is well-formed. UTF-8 can't carry such halves, but JSON's `\ud83d` escapes can; no store takes them.
 * The value is as shallow as `jsonFault` lets through.
 */
export function loneSurrogateField(value: unknown, name = ""): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : name;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const memberName = name === "" ? key : `${name}.${key}`;
    if (!key.isWellFormed()) return memberName.toWellFormed();
    const field = loneSurrogateField(member, memberName);
    if (field !== undefined) return field;
  }
  return undefined;
}
