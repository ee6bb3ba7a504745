import { z } from "zod";
import { readDocument } from "../input/json-records.ts";
import { parseRecord, refusedFile, shown } from "../input/refused-file.ts";
import type { InspectedFile, OnBytes } from "../input/text-file.ts";
import headingsOfAppendices from "./appendix-headings.json" with { type: "json" };

/** A revision of a page of the encyclopedia. */
export type ListPage = {
  readonly title: string;
  readonly revisionId: number;
  readonly wikitext: string;
  /** When the revision was saved, RFC 3339 in UTC. */
  readonly revisedAt?: string | undefined;
  /** The address of its wiki's `index.php`; undefined in a file that MediaWiki itself wrote. */
  readonly wiki?: string | undefined;
  /** Of the newest revision, when that is another one. */
  readonly newestWikitext?: string | undefined;
};

const Failure = z.object({ error: z.object({ code: z.string(), info: z.string().optional() }) });

/** The wikitext is a string in format version 2, and a member named `*` in version 1. */
const Wikitext = z.union([z.string(), z.object({ "*": z.string() }).transform((one) => one["*"])]);

/** The members beside `parse` are those that a refresh adds; see `fetchCases`. */
const Answer = z.object({
  parse: z.object({ title: z.string(), revid: z.int().positive(), wikitext: Wikitext }),
  revised_at: z.iso.datetime().optional(),
  wiki: z.url({ protocol: /^https?$/ }).optional(),
  newest: z.object({ parse: z.object({ wikitext: Wikitext }) }).optional(),
});

/**
 * The pages of a file with MediaWiki's answer to `action=parse&prop=wikitext|revid`, or with an array of such answers.
 * @throws DomainError `unreadable_file` for another shape, and for an answer that is an error.
 */
export async function listPages(input: InspectedFile, onBytes: OnBytes): Promise<ListPage[]> {
  const { file } = input;
  const document = await readDocument(input, onBytes);
  const answers: readonly unknown[] = Array.isArray(document) ? document : [document];
  return answers.map((answer, index) => {
    const place = { file, row: index + 1 };
    const failure = Failure.safeParse(answer);
    if (failure.success) {
      const { code, info } = failure.data.error;
      throw refusedFile({ ...place, column: "error" }, `MediaWiki answered ${shown(info ?? code)}.`);
    }
    const { parse, revised_at, wiki, newest } = parseRecord(Answer, answer, place);
    return {
      ...{ title: parse.title, revisionId: parse.revid, wikitext: parse.wikitext },
      ...(revised_at !== undefined && { revisedAt: revised_at }),
      ...(wiki !== undefined && { wiki }),
      ...(newest !== undefined && { newestWikitext: newest.parse.wikitext }),
    };
  });
}

/** One entry of a list page: a bullet with everything that is indented below it. */
export type ListEntry = {
  /** The headings above it, the outermost first, as wikitext. */
  readonly headings: readonly string[];
  readonly wikitext: string;
};

const HEADING = /^(={2,6})\s*(.+?)\s*\1\s*$/;

/** Sections of an article that do not list its subject, in the languages in which a case can be certain. */
const APPENDICES = new Set(Object.values(headingsOfAppendices).flatMap((names) => names.split("|")));

/** The bulleted entries of a page at its wikitext, in its order, without the entries of its appendices. */
export function listEntries(wikitext: string): ListEntry[] {
  const entries: { headings: readonly string[]; lines: string[] }[] = [];
  let headings: readonly { readonly level: number; readonly text: string }[] = [];
  let open: string[] | undefined;
  for (const line of unbrokenTemplates(wikitext).split("\n")) {
    const [, marks, heading] = HEADING.exec(line) ?? [];
    if (marks !== undefined && heading !== undefined) {
      headings = [
        ...headings.filter(({ level }) => level < marks.length),
        { level: marks.length, text: heading },
      ];
      open = undefined;
    } else if (/^\*[^*:#;]/.test(line)) {
      open = [line.slice(1)];
      entries.push({ headings: headings.map(({ text }) => text), lines: open });
    } else if (/^\*[*:#;]/.test(line)) open?.push(line.replace(/^[*:#;]+/, ""));
    else open = undefined;
  }
  return entries
    .filter(
      ({ headings }) =>
        !headings.some((heading) => APPENDICES.has(heading.trim().normalize("NFC").toLowerCase())),
    )
    .map(({ headings, lines }) => ({ headings, wikitext: lines.join(" ").trim() }));
}

/** Joins the lines of a template or link, which are not lines of the list. */
function unbrokenTemplates(wikitext: string): string {
  let depth = 0;
  return wikitext.replaceAll(/\{\{|\}\}|\[\[|\]\]|\n(?==)|\n/g, (mark) => {
    if (mark === "{{" || mark === "[[") depth += 1;
    else if (mark === "}}" || mark === "]]") depth = Math.max(0, depth - 1);
    else return depth > 0 ? " " : mark;
    return mark;
  });
}

/** Stands where a reference stood: a character of the private use area, which no text has. */
export const REFERENCE = "\ue000";

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const VERBATIM = /<(nowiki|pre|syntaxhighlight|code)\b[^>]*?(?:\/>|>[\s\S]*?<\/\1\s*>)/gi;

/** A reference with content, or one that repeats another by its name. */
const REF = /<ref\b([^>]*?)(?:\/>|>([\s\S]*?)<\/ref\s*>)/gi;

/** Templates that place a reference: short footnotes, and references by name. */
const REF_TEMPLATE = /\{\{\s*(?:r|rp?|sfnp?|sfnm|harvnb|harvp|refn)\s*\|[^{}]*\}\}/gi;
const NAMED_TEMPLATE = /^\{\{\s*r\s*\|\s*([^|{}]+?)\s*(?:\||\}\})/i;

/** Says that a reference is missing, in English and the shorter names of the template. */
const CITATION_NEEDED = /\{\{\s*(?:citation needed|cn|fact|source needed|reference needed)\b[^{}]*\}\}/gi;

/**
 * Wikitext in which each reference is one mark. Comments are removed with everything in them. An empty reference, a request
 * for a citation, and a reference whose name is defined nowhere on the page leave no mark.
 */
export function markReferences(wikitext: string): string {
  const visible = wikitext.replaceAll(COMMENT, "").replaceAll(VERBATIM, "").replaceAll(CITATION_NEEDED, "");
  const defined = definedNames(visible);
  return visible
    .replaceAll(REF, (_, attributes: string, content: string | undefined) =>
      hasContent(content) || defined.has(nameOf(attributes)) ? REFERENCE : "",
    )
    .replaceAll(REF_TEMPLATE, (template) => {
      const name = NAMED_TEMPLATE.exec(template)?.[1];
      return name === undefined || defined.has(name) ? REFERENCE : "";
    });
}

function definedNames(wikitext: string): ReadonlySet<string> {
  const names = [...wikitext.matchAll(REF)]
    .filter(([, , content]) => hasContent(content))
    .map(([, attributes]) => nameOf(attributes ?? ""));
  return new Set(names.filter((name) => name !== ""));
}

function nameOf(attributes: string): string {
  const [, double, single, bare] =
    /\bname\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/>]+))/i.exec(attributes) ?? [];
  return (double ?? single ?? bare ?? "").trim();
}

function hasContent(content: string | undefined): boolean {
  return content !== undefined && content.trim() !== "";
}
