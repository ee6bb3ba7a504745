import type { z } from "zod";
import { downloadName } from "../../http/download-name.ts";
import type { Report } from "../schema.ts";

/** What an export of a report is saved as: the title of its check and `ending`. */
export function exportName(
  { title, check_id }: Pick<z.output<typeof Report>, "title" | "check_id">,
  ending: string,
): string {
  return downloadName(title ?? "", `Check ${check_id}`, ending);
}
