/** A page of the service: a document with a script of its own. */
export type Page = {
  readonly path: string;
  readonly title: string;
  readonly entry: string;
  readonly section: Section;
};

type Section = "submit" | "compare" | "checks" | "batches" | "corpus";

/** Separate documents, so that the browser handles links, history and scrolling. */
export const PAGES = [
  { path: "/", title: "Check a text", entry: "submit/submit.tsx", section: "submit" },
  { path: "/compare", title: "Compare two texts", entry: "compare/compare.tsx", section: "compare" },
  { path: "/checks", title: "Checks", entry: "checks/checks.tsx", section: "checks" },
  { path: "/checks/:check_id", title: "Report", entry: "report/report.tsx", section: "checks" },
  { path: "/batches", title: "Batches", entry: "batches/batches.tsx", section: "batches" },
  { path: "/batches/:batch_id", title: "Batch", entry: "batches/batch.tsx", section: "batches" },
  { path: "/batches/:batch_id/pairs/:a/:b", title: "Pair", entry: "batches/pair.tsx", section: "batches" },
  { path: "/corpus", title: "Corpus", entry: "corpus/corpus.tsx", section: "corpus" },
  { path: "/corpus/:document_id", title: "Document", entry: "corpus/document.tsx", section: "corpus" },
] as const satisfies readonly Page[];

export const SECTIONS = [
  { section: "submit", label: "Check a text", path: "/" },
  { section: "compare", label: "Compare", path: "/compare" },
  { section: "checks", label: "Checks", path: "/checks" },
  { section: "batches", label: "Batches", path: "/batches" },
  { section: "corpus", label: "Corpus", path: "/corpus" },
] as const satisfies readonly { section: Section; label: string; path: string }[];
