import type { ComponentChildren } from "preact";

/**
 * A link to an address that came with a document: only one of the web is a link, any other is shown as text, and the site is
 * told nothing of this one.
 */
export function ExternalLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children?: ComponentChildren;
}) {
  const shown = children ?? href;
  if (!isWebAddress(href)) return <span dir="auto">{shown}</span>;
  return (
    <a href={href} rel="noopener noreferrer" target="_blank" dir="auto">
      {shown}
      <span class="hidden-visually"> (opens in a new tab)</span>
    </a>
  );
}

function isWebAddress(href: string): boolean {
  return URL.canParse(href) && /^https?:$/.test(new URL(href).protocol);
}
