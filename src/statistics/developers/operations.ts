import { z } from "zod";
import type { Operation, ResponseDescription } from "../../http/docs/operation.ts";
import { LANGUAGE_TAGS } from "./languages.ts";

const PAGE: ResponseDescription = {
  description: "The page.",
  contentType: "text/html",
  examples: { page: { summary: "A page", value: "<!doctype html>…" } },
  headers: { ETag: "Names these bytes.", "Content-Language": "The language of the page." },
};

const negotiatedOperation = {
  method: "get",
  path: "/developers",
  operationId: "getDevelopers",
  summary: "The page for developers",
  description:
    "What the data is, how it is counted, every endpoint, licence and citing, in the language that `Accept-Language` asks for.",
  tags: ["Documentation"],
  responses: {
    200: { ...PAGE, headers: { ...PAGE.headers, Vary: "`Accept-Language`, which decides the language." } },
  },
  errors: [],
} as const satisfies Operation;

const languageOperation = {
  method: "get",
  path: "/developers/:language",
  operationId: "getDevelopersInLanguage",
  summary: "The page for developers in one language",
  description: "The same page in the language that the path names.",
  tags: ["Documentation"],
  request: {
    params: z.object({
      language: z
        .enum(LANGUAGE_TAGS)
        .meta({ examples: ["de"] })
        .describe("One of the languages of the page, as ISO 639-1 has it, in any case."),
    }),
  },
  responses: { 200: PAGE },
  errors: ["not_found"],
} as const satisfies Operation;

export const developersOperations: readonly Operation[] = [negotiatedOperation, languageOperation];
