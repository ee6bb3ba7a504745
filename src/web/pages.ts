import type { TextKey } from "../http/languages/texts.ts";

/** A page of the service: a document with a script of its own. */
export type Page = {
  readonly path: string;
  readonly title: TextKey;
  readonly entry: string;
  readonly section: Section;
};

type Section = "submit" | "compare" | "checks" | "batches" | "corpus";

/** Separate documents, so that the browser handles links, history and scrolling. */
export const PAGES = [
  { path: "/", title: "nav.submit", entry: "submit/submit.tsx", section: "submit" },
  {
    path: "/compare",
    title: "compare.title",
    entry: "compare/compare.tsx",
    section: "compare",
  },
  {
    path: "/compare/:comparison_id",
    title: "comparison.title",
    entry: "compare/compare.tsx",
    section: "compare",
  },
  { path: "/checks", title: "nav.checks", entry: "checks/checks.tsx", section: "checks" },
  {
    path: "/checks/:check_id",
    title: "nav.report",
    entry: "report/report.tsx",
    section: "checks",
  },
  {
    path: "/batches",
    title: "nav.batches",
    entry: "batches/batches.tsx",
    section: "batches",
  },
  {
    path: "/batches/:batch_id",
    title: "report.batch",
    entry: "batches/batch.tsx",
    section: "batches",
  },
  {
    path: "/batches/:batch_id/pairs/:a/:b",
    title: "nav.pair",
    entry: "batches/pair.tsx",
    section: "batches",
  },
  {
    path: "/corpus",
    title: "nav.corpus",
    entry: "corpus/corpus.tsx",
    section: "corpus",
  },
  {
    path: "/corpus/:document_id",
    title: "nav.documentTitle",
    entry: "corpus/document.tsx",
    section: "corpus",
  },
] as const satisfies readonly Page[];

export const SECTIONS = [
  { section: "submit", label: "nav.submit", path: "/" },
  { section: "compare", label: "nav.compare", path: "/compare" },
  { section: "checks", label: "nav.checks", path: "/checks" },
  { section: "batches", label: "nav.batches", path: "/batches" },
  { section: "corpus", label: "nav.corpus", path: "/corpus" },
] as const satisfies readonly { section: Section; label: TextKey; path: string }[];
