/** One entry of a list page: a bullet with all that is indented below it. */
export type ListEntry = {
  /** The headings above it, the outermost first, as wikitext. */
  readonly headings: readonly string[];
  readonly wikitext: string;
};

const HEADING = /^(={2,6})\s*(.+?)\s*\1\s*$/;

/** Parts of an article that list other things than its subject. */
const APPENDIX =
  /^(?:see also|references|notes|footnotes|citations|external links|further reading|bibliography|sources|works cited)$/i;

/** The bulleted entries of a page at its wikitext, in its order; those of its appendices are left out. */
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
    .filter(({ headings }) => !headings.some((heading) => APPENDIX.test(heading.trim())))
    .map(({ headings, lines }) => ({ headings, wikitext: lines.join(" ").trim() }));
}

/** Templates and links may run over several lines, which are no lines of the list. */
function unbrokenTemplates(wikitext: string): string {
  let depth = 0;
  return wikitext.replaceAll(/\{\{|\}\}|\[\[|\]\]|\n(?==)|\n/g, (mark) => {
    if (mark === "{{" || mark === "[[") depth += 1;
    else if (mark === "}}" || mark === "]]") depth = Math.max(0, depth - 1);
    else return depth > 0 ? " " : mark;
    return mark;
  });
}
