import type { Html } from "../http/html.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { ReportFilters } from "../report/figures/filters.ts";
import type { WireReport } from "../report/index.ts";
import { CoreApiError, submissionNotFound } from "./core-api-error.ts";
import type { MeasureSimilarity } from "./measure-similarity.ts";
import { presentSimilarity } from "./present.ts";
import { filtersOf, type Submission } from "./submission.ts";
import type { SubmissionStore } from "./submission-store.ts";
import type { ViewerLinks, ViewerPermissions } from "./viewer-links.ts";
import type { EventStore } from "./webhooks/event-store.ts";

/** A report with filters, in UTF-16 offsets; `sources` are also those that the filters leave out. */
export type ReadShown = (
  checkId: string,
  filters: ReportFilters | undefined,
) => Promise<{ readonly report: WireReport; readonly sources: readonly SourceName[] }>;

export type SourceName = { readonly documentId: string; readonly title: string };

/** The documents of a report. `withheld` are sources whose text is not shown. */
export type RenderReport = {
  /** The Content-Security-Policy of the page. */
  readonly policy: string;
  readonly page: (report: WireReport, withheld: ReadonlySet<string>, toolbar: Html) => AsyncIterable<string>;
  readonly pdf: (report: WireReport, signal: AbortSignal) => Promise<Uint8Array>;
};

export type ViewerParts = {
  readonly database: Database;
  readonly submissions: SubmissionStore;
  readonly links: ViewerLinks;
  readonly events: EventStore;
  readonly readShown: ReadShown;
  readonly render: RenderReport;
  readonly measureSimilarity: MeasureSimilarity;
  /** Sends events that are due. */
  readonly wake: () => void;
};

/** A report as one reader may see it. */
export type ViewedReport = {
  readonly submission: Submission;
  readonly report: WireReport;
  readonly withheld: ReadonlySet<string>;
  /** The sources that the reader can exclude. */
  readonly sources: readonly SourceName[];
};

/** What a reader can change. */
export type ViewChange = Required<
  Pick<ReportFilters, "excludeQuotes" | "excludeBibliography" | "excludeSources">
> & { readonly minWords: number };

const EVERYTHING: ViewerPermissions = {
  seesSubmittedTexts: true,
  seesSubmissionNames: true,
  savesChanges: false,
};

const NOT_SHOWN = "The text of this submission is not shown.";

export type Viewer = ReturnType<typeof createViewer>;

/** Reading reports, by links and as PDF. */
export function createViewer(parts: ViewerParts) {
  const { database, submissions, links, events, readShown, render, measureSimilarity, wake } = parts;

  async function view(submissionId: string, permissions: ViewerPermissions): Promise<ViewedReport> {
    const submission = await submissions.findAny(database, submissionId);
    if (submission === undefined) throw submissionNotFound();
    if (submission.checkId === null || submission.reportStatus !== "COMPLETE")
      throw new CoreApiError("conflict", "The report is not complete.");
    const { report, sources } = await readShown(submission.checkId, filtersOf(submission));
    const known = await submissions.listSourcesOf(database, submission.checkId);
    const submitted = new Set(known.flatMap(({ documentId }) => documentId ?? []));
    const withheld = permissions.seesSubmittedTexts ? new Set<string>() : submitted;
    const unnamed = permissions.seesSubmissionNames ? new Set<string>() : submitted;
    const hidden = new Set(submission.hidden);
    return {
      submission,
      report: forReader(report, { withheld, unnamed }),
      withheld,
      sources: sources
        .filter(({ documentId }) => !hidden.has(documentId))
        .map((source) => (unnamed.has(source.documentId) ? { ...source, title: UNNAMED } : source)),
    };
  }

  return {
    /** A link to the complete report of a submission. @throws CoreApiError `not_found`, `conflict` */
    async createLink(keyName: string, submissionId: string, permissions: ViewerPermissions): Promise<string> {
      const submission = await submissions.find(database, keyName, submissionId);
      if (submission === undefined) throw submissionNotFound();
      if (submission.reportStatus !== "COMPLETE")
        throw new CoreApiError("conflict", submission.errorCode ?? "The report is not complete.");
      return links.create(database, submissionId, permissions);
    },

    open: (link: string, session: string | undefined) => links.open(database, link, session),
    resume: (link: string, session: string | undefined) => links.resume(database, link, session),
    view,
    render,

    /** The report as a PDF, for the client itself. @throws CoreApiError; the errors of `MakePdf` */
    async pdf(submissionId: string, signal: AbortSignal, permissions = EVERYTHING): Promise<Uint8Array> {
      return render.pdf((await view(submissionId, permissions)).report, signal);
    },

    /** Keeps what a reader has changed, and tells the client the new score. */
    async change(submissionId: string, change: ViewChange): Promise<void> {
      const submission = await submissions.findAny(database, submissionId);
      if (submission === undefined) throw submissionNotFound();
      const changed = { ...submission.view, ...change };
      const similarity = await measureSimilarity({ ...submission, view: changed });
      await database.transaction(async (transaction) => {
        const saved = await submissions.changeView(transaction, submission, changed, similarity);
        if (saved === undefined) return;
        const event = {
          type: "SIMILARITY_UPDATED",
          body: presentSimilarity(saved),
          dueAt: new Date(),
        } as const;
        await events.record(transaction, saved, event);
      });
      wake();
    },
  };
}

const UNNAMED = "A submitted text";

/**
 * Without the names and texts of other people's work that its reader may not see, and without uploads that are pending. The score
 * without filters would count hidden documents; the toolbar names the filters.
 */
function forReader(
  { uncompared_documents: _, ...report }: WireReport,
  { withheld, unnamed }: { readonly withheld: ReadonlySet<string>; readonly unnamed: ReadonlySet<string> },
): WireReport {
  return {
    ...report,
    filters: null,
    sources: report.sources.map((source) => {
      const id = source.source_document_id;
      return {
        ...source,
        ...(unnamed.has(id) && { title: UNNAMED, source_filename: "", source_url: null }),
        passages: !withheld.has(id)
          ? source.passages
          : source.passages.map((passage) => ({ ...passage, overlap_text_preview: NOT_SHOWN })),
      };
    }),
  };
}
