import type { Context } from "koa";
import type { z } from "zod";
import { downloadName } from "../../http/download-name.ts";
import type { Report } from "../schema.ts";

/**
 * Says what an answer is to be saved as: the title of the check and `ending`. Programs that know only the older, plain form
 * of the header get the check's identifier where the title needs more than ASCII.
 * @param type `attachment` is saved at once, `inline` is shown
 */
export function saveAs(
  ctx: Context,
  { title, check_id: checkId }: Pick<z.output<typeof Report>, "title" | "check_id">,
  { type, ending }: { readonly type: "attachment" | "inline"; readonly ending: string },
): void {
  const name = downloadName(title ?? "", `Check ${checkId}`, ending);
  const isPlain = /^[\x20-\x7e]*$/.test(name);
  ctx.attachment(name, { type, fallback: isPlain || `${checkId}${ending.slice(ending.lastIndexOf("."))}` });
}
