import { createHash } from "node:crypto";
import type { PageFiles } from "./built-files.ts";
import { type Page, SECTIONS } from "./pages.ts";

/**
 * The document of a page before any script has run: head, navigation and the empty place that the script fills.
 * It holds no text of a check or document, and its values are constants of this program.
 */
export function pageShell(page: Page, files: PageFiles): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${page.title} · Similarity Check</title>
<link rel="icon" href="${ICON}">
${files.styles.map((url) => `<link rel="stylesheet" href="${url}">`).join("\n")}
${files.preloads.map((url) => `<link rel="modulepreload" href="${url}">`).join("\n")}
<script type="module" src="${files.script}"></script>
</head>
<body>
<a class="skip" href="#page">Skip to content</a>
<header class="frame">
<a class="brand" href="/">Similarity Check</a>
<nav aria-label="Pages">
${SECTIONS.map((one) => navigationLink(one, page)).join("\n")}
</nav>
<nav class="frame-end" aria-label="Documentation"><a href="/docs">API</a></nav>
</header>
<main id="page" tabindex="-1"><noscript><p class="notice">This page needs JavaScript. The API and the command line work without: see <a href="/docs">the API</a>.</p></noscript></main>
</body>
</html>
`;
}

function navigationLink({ section, label, path }: (typeof SECTIONS)[number], page: Page): string {
  if (section !== page.section) return `<a href="${path}">${label}</a>`;
  return `<a href="${path}" aria-current="${path === page.path ? "page" : "true"}">${label}</a>`;
}

const ICON_DRAWING =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2f5fd0" d="M2 1h7a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H2a1 1 0 0 1-1-1V2a1 1 0 0 1 1-1"/><path fill="#f0a020" fill-opacity=".85" d="M7 4h7a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1"/></svg>';
const ICON = `data:image/svg+xml;base64,${Buffer.from(ICON_DRAWING).toString("base64")}`;

/** Of a page's own document, so that a browser asks only when it has changed. */
export function shellTag(shell: string): string {
  return `"${createHash("sha256").update(shell).digest("base64url").slice(0, 16)}"`;
}
