import { Readable } from "node:stream";
import { Router } from "@koa/router";
import type { Context } from "koa";
import type { z } from "zod";
import { clientGone } from "../../http/client-gone.ts";
import { downloadName } from "../../http/download-name.ts";
import { inTurns } from "../../http/in-turns.ts";
import { readJsonBody } from "../../http/input/json-body.ts";
import { parse } from "../../http/input/parse.ts";
import { pathUuid, readPassageReference } from "../../http/input/wire-types.ts";
import { sendLarge, sendLargeJson } from "../../http/large-answer.ts";
import type { PendingAnswers } from "../../http/pending-answers.ts";
import { type Exclusions, exclusionsOf } from "../exports/exclusions.ts";
import type { ComparePassages } from "../exports/html/passage-pairs.ts";
import { REPORT_POLICY, reportHtml } from "../exports/html/report-html.ts";
import { passagesCsv } from "../exports/passages-csv.ts";
import type { MakePdf } from "../exports/pdf/report-pdf.ts";
import type { PassageReference, ReportFilters } from "../figures/filters.ts";
import { type PassageNotes, passageNotFound } from "../passage-notes.ts";
import { checkNotFound, type ReadReport } from "../read-report.ts";
import { type ReadSourceText, sourceNotFound } from "../read-source-text.ts";
import { passageReference, presentReport, presentSourceText } from "./presenter.ts";
import { ReportFiltersQuery, ReportQuery, ReportSelectionQuery } from "./report-query.ts";
import { NoteBody, type PassageNote, type WireReport } from "./schema.ts";
import { SourceTextQuery } from "./source-text-schema.ts";

export type ReportRouteParts = {
  readonly readReport: ReadReport;
  readonly readSourceText: ReadSourceText;
  readonly passageNotes: PassageNotes;
  readonly comparePassages: ComparePassages;
  readonly makePdf: MakePdf;
  readonly pendingAnswers: PendingAnswers;
};

/** A report while it is read and filtered. Four keep the threads busy; with 32, the main thread was blocked for seconds. */
const READING_BYTES = 64 * 1024 * 1024;

/** A report of the longest text from which an export is made. */
const REPORT_BYTES = 8 * 1024 * 1024;

export function reportRouter(parts: ReportRouteParts): Router {
  const { readReport, readSourceText, passageNotes, comparePassages, makePdf, pendingAnswers } = parts;
  const router = new Router();

  async function report(ctx: Context, selection: Selection, explain = false) {
    return (await readView(ctx, selection, explain)).shown;
  }

  async function readView(ctx: Context, selection: Selection, explain: boolean) {
    const { offset_unit: offsets, length_unit: lengths = offsets, ...filters } = selection;
    const applied = appliedFilters(filters);
    await pendingAnswers.reserve(ctx.res, READING_BYTES);
    const view = await readReport(checkIdOf(ctx), {
      units: { offsets, lengths },
      filters: applied && toFilters(filters),
      explain,
    });
    pendingAnswers.resize(ctx.res, REPORT_BYTES);
    return { shown: presentReport(view, applied), sources: view.stored.sources };
  }

  /** The report as a document, with what its filters exclude. */
  async function readDocument(ctx: Context): Promise<{ shown: WireReport; exclusions: Exclusions }> {
    const filters = parse(ReportFiltersQuery, ctx.query);
    const selection = { ...filters, offset_unit: "utf16", length_unit: "code_point" } as const;
    const { shown, sources } = await readView(ctx, selection, appliedFilters(filters) !== undefined);
    const titles = new Map(sources.map(({ documentId, title }) => [documentId, title]));
    return { shown, exclusions: exclusionsOf(shown, titles) };
  }

  router.get("/v1/checks/:check_id/report", async (ctx) => {
    const { explain, ...selection } = parse(ReportQuery, ctx.query);
    sendLargeJson(ctx, await report(ctx, selection, explain), pendingAnswers);
  });

  router.put("/v1/checks/:check_id/notes/:passage", async (ctx) => {
    const checkId = checkIdOf(ctx);
    const { text } = parse(NoteBody, await readJsonBody(ctx));
    const { note, ...passage } = await passageNotes.write(checkId, passageOf(ctx), text);
    ctx.body = { passage: passageReference(passage), note } satisfies z.output<typeof PassageNote>;
  });

  router.delete("/v1/checks/:check_id/notes/:passage", async (ctx) => {
    await passageNotes.remove(checkIdOf(ctx), passageOf(ctx));
    ctx.status = 204;
  });

  router.get("/v1/checks/:check_id/passages.csv", async (ctx) => {
    const shown = await report(ctx, parse(ReportSelectionQuery, ctx.query));
    saveAs(ctx, shown, { type: "attachment", ending: " - passages.csv" });
    ctx.type = "text/csv; charset=utf-8; header=present";
    ctx.body = Readable.from(inTurns(passagesCsv(shown)));
  });

  router.get("/v1/checks/:check_id/report.html", async (ctx) => {
    const { shown, exclusions } = await readDocument(ctx);
    saveAs(ctx, shown, { type: "inline", ending: ".html" });
    ctx.set("Content-Security-Policy", REPORT_POLICY);
    ctx.type = "text/html; charset=utf-8";
    ctx.body = Readable.from(reportHtml(shown, exclusions, comparePassages));
  });

  router.get("/v1/checks/:check_id/report.pdf", async (ctx) => {
    const gone = clientGone(ctx);
    const { shown, exclusions } = await readDocument(ctx);
    const bytes = Buffer.from(await makePdf(shown, exclusions, gone));
    saveAs(ctx, shown, { type: "attachment", ending: ".pdf" });
    sendLarge(ctx, bytes, "application/pdf", pendingAnswers);
  });

  router.get("/v1/checks/:check_id/sources/:source_document_id/text", async (ctx) => {
    const checkId = checkIdOf(ctx);
    const { start = 0, end, offset_unit: unit } = parse(SourceTextQuery, ctx.query);
    const documentId = pathUuid(ctx, "source_document_id", sourceNotFound);
    ctx.body = presentSourceText(await readSourceText(checkId, documentId, { start, end, unit }), unit);
  });

  return router;
}

function checkIdOf(ctx: Context): string {
  return pathUuid(ctx, "check_id", checkNotFound);
}

function passageOf(ctx: Context): PassageReference {
  const reference = readPassageReference(String(ctx.params.passage));
  if (reference === undefined) throw passageNotFound();
  return reference;
}

type Selection = z.output<typeof ReportSelectionQuery>;
type AskedFilters = Omit<Selection, "offset_unit" | "length_unit">;

/** The filters that are in effect, under their wire names; undefined if there are none. A filter set to `false` is not in effect. */
function appliedFilters(asked: AskedFilters): Record<string, unknown> | undefined {
  const applied = Object.entries(asked).filter(([, value]) => value !== undefined && value !== false);
  return applied.length === 0 ? undefined : Object.fromEntries(applied);
}

function toFilters(asked: AskedFilters): ReportFilters {
  return {
    excludeQuotes: asked.exclude_quotes,
    excludeBibliography: asked.exclude_bibliography,
    minWords: asked.min_words,
    excludeSources: asked.exclude_sources,
    excludePassages: asked.exclude_passages?.flatMap((one) => readPassageReference(one) ?? []),
    matchTypes: asked.match_types,
  };
}

/** Names the saved file as the check is shown; older clients get its identifier unless the title is plain ASCII. */
function saveAs(
  ctx: Context,
  { display_title: title, check_id: checkId }: Pick<WireReport, "display_title" | "check_id">,
  { type, ending }: { readonly type: "attachment" | "inline"; readonly ending: string },
): void {
  const name = downloadName(title, `Check ${checkId}`, ending);
  const isPlain = /^[\x20-\x7e]*$/.test(name);
  ctx.attachment(name, { type, fallback: isPlain || `${checkId}${ending.slice(ending.lastIndexOf("."))}` });
}
