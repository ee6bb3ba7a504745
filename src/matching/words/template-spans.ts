import { joinSpans, type Span } from "../../text/span.ts";
import { tokenise } from "../../text/tokenise.ts";
import { align } from "./align.ts";
import { prepareQuery } from "./text-pair.ts";

/** Text that was handed out, and its ISO 639-1 language. */
export type Template = { readonly text: string; readonly language: string };

/**
 * The parts of a text that come from templates, copied or slightly changed: ascending, disjoint UTF-16 spans. Rewording an
 * assignment is the author's own writing, so reworded passages do not count.
 */
export function templateSpans(text: string, language: string, templates: readonly Template[]): Span[] {
  if (templates.length === 0) return [];
  const query = prepareQuery({ text, tokens: tokenise(text, language) }, { language });
  return joinSpans(
    templates.flatMap((template) => {
      const tokens = tokenise(template.text, template.language);
      return align(query, { text: template.text, tokens }).kept.flatMap((passage) =>
        (passage.runs ?? [passage]).filter(({ matchType }) => COPIED.has(matchType)).map((run) => run.query),
      );
    }),
  );
}

const COPIED: ReadonlySet<string> = new Set(["identical", "minor_changes"]);
