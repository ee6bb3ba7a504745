/** A page of the service: one document, one module of the browser's code. */
export type Page = {
  /** As a route, such as `/checks/:check_id`. */
  readonly path: string;
  readonly title: string;
  /** The module that draws it, below `browser/`. */
  readonly entry: string;
  /** The entry of the navigation that it belongs to. */
  readonly section: Section;
};

export type Section = "submit" | "checks" | "corpus";

/** Every page. Each is a document of its own, so that links, history and scrolling are the browser's own work. */
export const PAGES = [
  { path: "/", title: "Check a text", entry: "submit/submit.tsx", section: "submit" },
  { path: "/checks", title: "Checks", entry: "checks/checks.tsx", section: "checks" },
  { path: "/checks/:check_id", title: "Report", entry: "report/report.tsx", section: "checks" },
  { path: "/corpus", title: "Corpus", entry: "corpus/corpus.tsx", section: "corpus" },
  { path: "/corpus/:document_id", title: "Document", entry: "corpus/document.tsx", section: "corpus" },
] as const satisfies readonly Page[];

/** What the navigation shows, in its order. */
export const SECTIONS = [
  { section: "submit", label: "Check a text", path: "/" },
  { section: "checks", label: "Checks", path: "/checks" },
  { section: "corpus", label: "Corpus", path: "/corpus" },
] as const satisfies readonly { section: Section; label: string; path: string }[];
