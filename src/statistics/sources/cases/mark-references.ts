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
 * Wikitext in which each reference is one mark. Comments are gone, so that what they hold counts as nothing; an empty reference, one that
 * only says that a citation is needed, and one whose name is defined nowhere on the page leave no mark.
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
