import type { WikiPage } from "../../../src/corpus/sample-corpus/select-articles.ts";

/** Wikitext of an invented article of 1,300 characters of prose, different for every seed. */
export function proseOf(seed: string): string {
  const sentence = (i: number) =>
    `The '''${seed}''' of [[place ${i}]] stands where the road turns for the ${i}th time.`;
  return Array.from({ length: 4 }, (_, p) =>
    Array.from({ length: 5 }, (_, i) => sentence(p * 5 + i)).join(" "),
  ).join("\n\n");
}

/** An export as MediaWiki 1.6 wrote it. */
export function mediaWikiXml(pages: readonly WikiPage[]): string {
  const body = pages.map(
    ({ title, revision, wikitext }, i) => `  <page>
    <title>${xmlEscaped(title)}</title>
    <id>${i + 1}</id>
    <revision>
      <id>${revision}</id>
      <timestamp>2006-03-01T00:00:00Z</timestamp>
      <contributor>
        <username>Keeper</username>
        <id>7</id>
      </contributor>
      ${wikitext === "" ? '<text xml:space="preserve" />' : `<text xml:space="preserve">${xmlEscaped(wikitext)}</text>`}
    </revision>
  </page>
`,
  );
  return `<mediawiki version="0.3" xml:lang="en">\n  <siteinfo><sitename>Wikipedia</sitename></siteinfo>\n${body.join("")}</mediawiki>\n`;
}

function xmlEscaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
