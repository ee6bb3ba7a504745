import type { Context } from "koa";
import { z } from "zod";
import {
  acceptedLanguage,
  findLanguage,
  LANGUAGE_TAGS,
  type Language,
  type LanguageTag,
} from "./languages.ts";

/** The parameter that names the language of a report or of another document that is made of texts. */
export const DocumentLanguage = z
  .enum(LANGUAGE_TAGS)
  .optional()
  .describe(
    "The language of the document’s own words; otherwise the one that `Accept-Language` prefers, or English. The texts in it stay as they are.",
  );

/** The language that is named, or otherwise preferred by the browser; the answer says which one it has. */
export function documentLanguage(ctx: Context, tag: LanguageTag | undefined): Language {
  const language = (tag && findLanguage(tag)) ?? acceptedLanguage(ctx);
  if (tag === undefined) ctx.vary("Accept-Language");
  ctx.set("Content-Language", language.locale);
  return language;
}
