import type { Queryable } from "../../platform/postgres/database.ts";
import type { SourceId } from "../facts/sources.ts";
import type { InspectedFile } from "../sources/input/inspect-file.ts";
import type { OnBytes } from "../sources/input/read-text.ts";

/** The parts that are loaded one by one, as the command names them, and the source that each comes from. */
export const PART_SOURCES = {
  retractions: "retraction-watch",
  publications: "publications",
  works: "openalex",
  organisations: "ror",
  cases: "wikipedia",
  news: "gdelt",
} as const satisfies Record<string, SourceId>;
export type PartName = keyof typeof PART_SOURCES;

/** No part depends on another until the figures are computed; this is the order in which people read of them. */
export const PART_NAMES = [
  "retractions",
  "publications",
  "works",
  "organisations",
  "cases",
  "news",
] as const satisfies readonly PartName[];

/** What is known of a part when it stands in its tables. */
export type LoadedPart = {
  /** The day or year of the newest record. */
  readonly newestRecord: string | undefined;
  /** Of the source itself, as a revision; else the hash of the file serves. */
  readonly version?: string;
  /** Of what stands in the tables, where that is more than the file. */
  readonly sha256?: string | undefined;
  /** What a person should know, in a sentence each. */
  readonly notes: readonly string[];
};

/** Replaces what stands in the part's tables by the contents of a file. Throws what the parser throws. */
export type LoadPart = (db: Queryable, input: InspectedFile, onBytes: OnBytes) => Promise<LoadedPart>;

/** `1 paper`, `1,234 papers`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : several}`;
}
