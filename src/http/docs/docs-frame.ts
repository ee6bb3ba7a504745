/** A page of the listener for readers, to which the documentation leads back. */
export type HomePage = { readonly path: string; readonly label: string };

const PAGES = [
  { path: "/docs", label: "Try it out" },
  { path: "/redoc", label: "Reference" },
  { path: "/openapi.json", label: "OpenAPI" },
] as const;

/** Adds a bar with the way back, and styles for both colour schemes, to a page of Swagger UI or Redoc. @param script runs first */
export function withFrame(page: string, home: HomePage, path: string, script = ""): string {
  const links = PAGES.map((one) =>
    one.path === path
      ? `<a href="${one.path}" aria-current="page">${one.label}</a>`
      : `<a href="${one.path}">${one.label}</a>`,
  );
  const bar = `<header class="docs-bar"><a class="home" href="${home.path}"><span aria-hidden="true">← </span>${home.label}</a><nav aria-label="Documentation">${links.join("")}</nav></header>`;
  const start = script === "" ? "" : `<script>${script}</script>`;
  return page
    .replace("</head>", () => `<style>${STYLES}</style>${start}</head>`)
    .replace("<body>", () => `<body>${bar}`);
}

/** Swagger UI has a dark look, which a button of its hidden bar would switch on. */
export const FOLLOW_SCHEME = `
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();
`;

/** Redoc computes its colours once, so another scheme loads the page again. */
export const REDOC_START = `
const dark = matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", () => location.reload());
const theme = {
  colors: {
    primary: { main: "#8fb1ff" }, success: { main: "#6fd3a0" }, warning: { main: "#f2bd62" }, error: { main: "#ff9d94" },
    text: { primary: "#e7eaf0", secondary: "#a3adbc" },
    border: { dark: "#4a5362", light: "#333a45" },
    responses: {
      success: { color: "#6fd3a0", backgroundColor: "#16281f", tabTextColor: "#6fd3a0" },
      error: { color: "#ff9d94", backgroundColor: "#3a1a18", tabTextColor: "#ff9d94" },
      redirect: { color: "#f2bd62", backgroundColor: "#33270f", tabTextColor: "#f2bd62" },
      info: { color: "#8fb1ff", backgroundColor: "#1c2640", tabTextColor: "#8fb1ff" },
    },
  },
  schema: { nestedBackground: "#1b1f26", typeNameColor: "#a3adbc", typeTitleColor: "#a3adbc", requireLabelColor: "#ff9d94", linesColor: "#4a5362" },
  typography: { code: { color: "#ffb3ab", backgroundColor: "#262b34" }, links: { color: "#8fb1ff" } },
  sidebar: { backgroundColor: "#15181d", textColor: "#e7eaf0" },
  rightPanel: { backgroundColor: "#0e1014" },
  codeBlock: { backgroundColor: "#1b1f26" },
};
Redoc.init("/openapi.json", { scrollYOffset: ".docs-bar", ...(dark.matches && { theme }) }, document.getElementById("redoc"));
`;

const STYLES = `
:root{color-scheme:light dark;--docs-paper:light-dark(#fff,#15181d);--docs-ink:light-dark(#1b1f26,#e7eaf0);--docs-quiet:light-dark(#545d6b,#a3adbc);
--docs-line:light-dark(#d5dae2,#333a45);--docs-accent:light-dark(#1f4fc4,#8fb1ff)}
html body{margin:0;color:var(--docs-ink);background:var(--docs-paper)}
.docs-bar{position:sticky;top:0;z-index:10;display:flex;flex-wrap:wrap;align-items:center;gap:0 1.5rem;padding:0 1.25rem;
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;background:var(--docs-paper);border-bottom:1px solid var(--docs-line)}
.docs-bar nav{display:flex;flex-wrap:wrap;margin-left:auto}
.docs-bar a{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 .5rem;color:var(--docs-quiet);text-decoration:none;border-block:2px solid transparent}
.docs-bar a:hover{color:var(--docs-ink);text-decoration:underline}
.docs-bar a:focus-visible{outline:3px solid var(--docs-accent);outline-offset:-3px}
.docs-bar .home{padding-left:0;white-space:pre;font-weight:600;color:var(--docs-ink)}
@media (prefers-color-scheme:dark){#redoc .react-tabs__tab--selected{color:#1b1f26}
#redoc h5,#redoc h5 span{color:#a3adbc;border-color:#4a5362}#redoc .search-input::placeholder{color:#a3adbc}}
.docs-bar [aria-current]{color:var(--docs-ink);border-block-end-color:var(--docs-accent)}
`;
