import { readFileSync } from "node:fs";
import { z } from "zod";
import type { StepResult } from "./run-steps.ts";

const Entry = z.looseObject({
  audit_category: z.enum(["GRANTED_PRIVILEGES", "MISSING_PRIVILEGES"]),
  audit_request_effective_user: z.string(),
  audit_request_privilege: z.string(),
  "@timestamp": z.string(),
});

export type PermissionUse = {
  /** The permissions that each command used, in the order of their first use. */
  readonly used: ReadonlyMap<string, ReadonlySet<string>>;
  /** The permissions that the role lacks, as `command: permission`. */
  readonly missing: ReadonlySet<string>;
};

/**
 * Reads the audit log of a node. A command has a user of its own; the service's permissions are those between the
 * beginnings of two steps, so that its background work may add some to another step.
 */
export function readPermissions(
  logFile: string,
  { steps, userOfService }: { readonly steps: readonly StepResult[]; readonly userOfService: string },
): PermissionUse {
  const used = new Map<string, Set<string>>();
  const missing = new Set<string>();
  for (const line of readFileSync(logFile, "utf8").split("\n")) {
    const at = line.indexOf('{"audit_');
    if (at < 0) continue;
    const { data } = Entry.safeParse(JSON.parse(line.slice(at)));
    if (data === undefined) continue;
    const user = data.audit_request_effective_user;
    const timeMs = Date.parse(data["@timestamp"]);
    const step = steps.findLast(({ fromMs }) => fromMs <= timeMs)?.step;
    const who = user === userOfService ? `service: ${step ?? "before its start"}` : user;
    if (data.audit_category === "MISSING_PRIVILEGES") missing.add(`${who}: ${data.audit_request_privilege}`);
    else used.set(who, (used.get(who) ?? new Set()).add(data.audit_request_privilege));
  }
  return { used, missing };
}
