/** Sections of sources and pointers; what stands in them is a list even where it is written as paragraphs. */
const APPARATUS =
  /^(?:see also|(?:external |web ?)?links?(?: and references)?|(?:(?:general|cited|selected|further|online|additional|recommended|other) )?(?:references|sources|reading|readings|bibliography|literature|works cited|resources)|references and .*|sources and .*|notes(?: and references)?|foot ?notes|end ?notes|citations|credits|discography|filmography|selected works|works|publications|books|related (?:topics|articles)|further information|recommended sources used)$/i;

/** A line that only points to another article, written in italics by the custom of 2006. */
const POINTER =
  /^[:*\s]*'{2,}\s*\(?(?:see\b|main\b|for\b.*\bsee\b|further information\b|this (?:article|page) is about\b|alternat(?:e|ive) (?:meaning|use)|note:|from\b.*\bcommons)/i;

/**
 * Keeps the lines that are running text; everything else becomes an empty line, which ends a paragraph.
 * Left out: headings, list items and indented lines (`* # : ;`), preformatted lines (a leading space), rows that
 * broken tables left behind, pointers to other articles, and whole sections of sources.
 */
export function proseLines(wikitext: string): string {
  let apparatusDepth = Number.POSITIVE_INFINITY;
  const kept = wikitext.split("\n").map((line) => {
    const heading = /^(={1,6})\s*(.*?)\s*=+\s*$/.exec(line);
    if (heading !== null) {
      const depth = heading[1]?.length ?? 0;
      if (depth <= apparatusDepth)
        apparatusDepth = APPARATUS.test(plainHeading(heading[2])) ? depth : Number.POSITIVE_INFINITY;
      return "";
    }
    return apparatusDepth !== Number.POSITIVE_INFINITY ||
      /^(?:[*#:;|!]|\s|-{4,}|\{\|)/.test(line) ||
      POINTER.test(line)
      ? ""
      : line;
  });
  return kept.join("\n");
}

function plainHeading(heading = ""): string {
  return heading
    .replace(/[[\]']/g, "")
    .replace(/[:.]$/, "")
    .trim();
}
