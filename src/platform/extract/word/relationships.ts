import { posix } from "node:path";

import { readAttributes } from "./xml-text.ts";

/** What a part of a package refers to. */
export type Relationship = {
  readonly id: string;
  /** The last word of the type's URI, which is the same in transitional and strict documents, such as `header`. */
  readonly type: string;
  /** Name of the part inside the package; `undefined` for what lies outside it. */
  readonly part: string | undefined;
};

/** The name of the part that holds the relationships of `part` (ISO/IEC 29500-2, 9.3). */
export function relationshipsPart(part: string): string {
  return posix.join(posix.dirname(part), "_rels", `${posix.basename(part)}.rels`);
}

/** Reads the relationships of `part` from the XML of their part. */
export function readRelationships(xml: string, part: string): Relationship[] {
  return [...xml.matchAll(/<(?:[\w.-]+:)?Relationship\s[^<>]*>/g)].map(([tag]) => {
    const attributes = readAttributes(tag);
    const external = attributes.get("TargetMode") === "External";
    return {
      id: attributes.get("Id") ?? "",
      type: attributes.get("Type")?.split("/").at(-1) ?? "",
      part: external ? undefined : resolve(part, attributes.get("Target") ?? ""),
    };
  });
}

/** A target is relative to the part that refers to it, or begins with a slash at the package's root. */
function resolve(part: string, target: string): string {
  const path = target.startsWith("/") ? target : posix.join("/", posix.dirname(part), target);
  return posix.normalize(path).slice(1);
}
