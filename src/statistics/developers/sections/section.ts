import { type Content, type Html, html } from "../../../http/html.ts";

/** The parts of the page, in their order. Their identifiers are the same in every language, so that links keep their place. */
export const SECTION_IDS = [
  "look",
  "about",
  "counting",
  "caution",
  "endpoints",
  "answers",
  "citing",
  "more",
] as const;
export type SectionId = (typeof SECTION_IDS)[number];

export function section(id: SectionId, heading: string, content: Content): Html {
  return html`<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading"><a href="#${id}">${heading}</a></h2>
${content}
</section>
`;
}
