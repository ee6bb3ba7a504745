import { MATCH_GROUPS, type MatchGroup, matchGroups } from "../../src/report/figures/match-groups.ts";
import { type LabelledPassage, labelledDocuments, type Style } from "./labelled-set.ts";
import type { Half, Language } from "./texts.ts";

type Judged = LabelledPassage & {
  readonly found: MatchGroup;
  readonly style: Style;
  readonly language: Language;
  readonly shown: string;
};

/** The labelled passages of a half with the groups that the report would give them. */
export function judgedPassages(half: Half): Judged[] {
  return labelledDocuments(half).flatMap(({ text, language, style, passages }) => {
    const groupOf = matchGroups(
      text,
      language,
      passages.map(({ source }) => source),
    );
    return passages.map((passage) => {
      const { start, end } = passage.query;
      const preview = text.slice(start, end).slice(0, 200);
      const { group } = groupOf(passage.source.documentId, { query: passage.query, preview });
      return {
        ...passage,
        found: group,
        style,
        language,
        shown: text.slice(Math.max(0, start - 120), end + 160),
      };
    });
  });
}

/** How reliably passages without any acknowledgement are told: shares from 0 to 1. */
export function scoreOfNeither(judged: readonly Pick<Judged, "group" | "found">[]) {
  const said = judged.filter(({ found }) => found === "neither");
  const missing = judged.filter(({ group }) => group === "neither");
  const right = said.filter(({ group }) => group === "neither").length;
  return {
    passages: judged.length,
    precision: right / Math.max(1, said.length),
    recall: right / Math.max(1, missing.length),
  };
}

/** The groups by label and finding. */
export function confusion(judged: readonly Pick<Judged, "group" | "found">[]): string[] {
  return MATCH_GROUPS.filter((group) => judged.some((one) => one.group === group)).map((group) => {
    const own = judged.filter((one) => one.group === group);
    const found = MATCH_GROUPS.map((as) => `${as} ${own.filter((one) => one.found === as).length}`);
    return `${group} (${own.length}): ${found.join(", ")}`;
  });
}
