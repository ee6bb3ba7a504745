import type { EvaluationService } from "../checks/evaluation-service.ts";
import type { UnlistedDetection } from "../checks/unlisted-detections.ts";
import { readQuery } from "../texts/pan-corpus.ts";
import { excerpt } from "./excerpt.ts";

/** Detections in sources that are not listed, both texts one under the other, for a person to judge. */
export async function unlistedLines(
  { documents }: EvaluationService,
  folder: string,
  detections: readonly UnlistedDetection[],
): Promise<string[]> {
  const lines: string[] = [];
  for (const { queryName, sourceName, passage } of detections) {
    const query = [...(await readQuery(folder, queryName))];
    const source = documents.values().find(({ name }) => name === sourceName)?.text ?? "";
    lines.push(
      "",
      `${queryName} ${sourceName}: not listed`,
      `  query  ${excerpt(query, passage.query)}`,
      `  source ${excerpt([...source], passage.source)}`,
    );
  }
  return lines;
}
