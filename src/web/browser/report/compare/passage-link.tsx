import { useEffect, useState } from "preact/hooks";
import { announce } from "../../shared/announce.ts";

/** How long "Copied" stands where the link stood. */
const COPIED_MS = 2_000;

/** A link to this passage with these filters, which stays good. A click copies it, where the browser lets a page do so. */
export function PassageLink({ href }: { readonly href: string }) {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (event: MouseEvent) => {
    if (!isSecureContext || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      await navigator.clipboard.writeText(new URL(href, location.href).href);
      setIsCopied(true);
      announce("The link to this passage was copied.");
    } catch {
      announce("The browser does not let this page copy. The link is in the address bar.");
    }
  };
  return (
    <a class="button small" href={href} onClick={copy}>
      {isCopied ? "Copied" : "Link"}
      <span class="hidden-visually"> to this passage</span>
    </a>
  );
}
