import type { Html } from "../http/html.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { ReportFilters } from "../report/figures/filters.ts";
import { CoreApiError, reportNotComplete, submissionNotFound } from "./core-api-error.ts";
import type { MeasureSimilarity } from "./measure-similarity.ts";
import { presentSimilarity } from "./present.ts";
import { filtersOf } from "./submission.ts";
import type { SubmissionStore } from "./submission-store.ts";
import type { ViewerLinks, ViewerPermissions } from "./viewer-links.ts";
import type { EventStore } from "./webhooks/event-store.ts";

/** Sources of a report, by their documents, of which its reader must not see the text or the name. */
export type Hiding = { readonly texts: ReadonlySet<string>; readonly names: ReadonlySet<string> };

/** A report as one reader may see it. */
type ShownReport = {
  /** Also those that the filters leave out. */
  readonly sources: readonly SourceName[];
  readonly page: (toolbar: Html) => AsyncIterable<string>;
  readonly pdf: (signal: AbortSignal) => Promise<Uint8Array>;
};

type SourceName = { readonly documentId: string; readonly title: string };

/** Reads a report with filters. */
export type ShowReport = (
  checkId: string,
  filters: ReportFilters | undefined,
  hiding: Hiding,
) => Promise<ShownReport>;

type ViewerParts = {
  readonly database: Database;
  readonly submissions: SubmissionStore;
  readonly links: ViewerLinks;
  readonly events: EventStore;
  readonly showReport: ShowReport;
  readonly measureSimilarity: MeasureSimilarity;
  /** Sends events that are due. */
  readonly wake: () => void;
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

export type Viewer = ReturnType<typeof createViewer>;

/** Reading reports, by links and as PDF. */
export function createViewer(parts: ViewerParts) {
  const { database, submissions, links, events, showReport, measureSimilarity, wake } = parts;

  /** @throws CoreApiError `not_found`, `conflict` */
  async function view(submissionId: string, permissions: ViewerPermissions) {
    const submission = await submissions.find(database, undefined, submissionId);
    if (submission === undefined) throw submissionNotFound();
    if (submission.checkId === null || submission.reportStatus !== "COMPLETE") throw reportNotComplete();
    const known = await submissions.listSourcesOf(database, submission.checkId);
    const submitted = new Set(known.flatMap(({ documentId }) => documentId ?? []));
    const report = await showReport(submission.checkId, filtersOf(submission), {
      texts: permissions.seesSubmittedTexts ? new Set() : submitted,
      names: permissions.seesSubmissionNames ? new Set() : submitted,
    });
    const hidden = new Set(submission.hidden);
    const sources = report.sources.filter(({ documentId }) => !hidden.has(documentId));
    return { ...report, view: submission.view, sources };
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

    /** The report as a PDF, for the client itself. @throws CoreApiError; the errors of `MakePdf` */
    async pdf(submissionId: string, signal: AbortSignal, permissions = EVERYTHING): Promise<Uint8Array> {
      return (await view(submissionId, permissions)).pdf(signal);
    },

    /** Keeps what a reader has changed, and tells the client the new score. */
    async change(submissionId: string, change: ViewChange): Promise<void> {
      const submission = await submissions.find(database, undefined, submissionId);
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
