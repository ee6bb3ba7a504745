import { extname } from "node:path";
import { z } from "zod";
import { LANGUAGE_TAGS } from "../../../http/languages/languages.ts";
import { ChildLost, ChildPool } from "../../../platform/child-pool/child-pool.ts";
import { DomainError } from "../../../platform/domain-error.ts";
import type { WireReport } from "../../presented-report.ts";
import type { ComparedPair } from "../compared-pairs.ts";
import type { Exclusions } from "../exclusions.ts";
import type { ComparisonToPrint } from "./comparison-content.ts";

const language = z.enum(LANGUAGE_TAGS);

/** A report with UTF-16 offsets, the exclusions of its filters, its first passages beside their sources, and the language of its own words. */
const ReportToPrint = z.object({
  kind: z.literal("report"),
  report: z.custom<WireReport>(),
  exclusions: z.custom<Exclusions>(),
  pairs: z.custom<readonly ComparedPair[]>(),
  language,
});
export type ReportToPrint = z.infer<typeof ReportToPrint>;

/** The input of the process. */
export const PdfRequest = z.discriminatedUnion("kind", [
  ReportToPrint,
  z.object({
    kind: z.literal("comparison"),
    comparison: z.custom<ComparisonToPrint["comparison"]>(),
    language,
  }),
]);
export type PdfRequest = z.infer<typeof PdfRequest>;

const PdfResult = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("pdf"), bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array) }),
  z.object({ kind: z.literal("missing"), part: z.string() }),
]);
export type PdfResult = z.infer<typeof PdfResult>;

/** A report or a comparison as a PDF. @throws DomainError `pdf_unavailable`, `pdf_too_large`, `service_busy`; the signal's reason. */
export type MakePdf = (request: PdfRequest, signal: AbortSignal) => Promise<Uint8Array>;

type PdfLimits = {
  readonly timeMs: number;
  /** The most memory that the process may hold, in megabytes. */
  readonly memoryMb: number;
  readonly waitingMax: number;
  readonly waitMs: number;
};

/**
 * - 60 s: the longest text with 4,000 passages takes 3 s on an idle core.
 * - 1,000 MB: that report takes 0.4 GB.
 * - Eight may wait, each holding its report; they take their turn within the time of a request.
 */
const DEFAULT_LIMITS: PdfLimits = { timeMs: 60_000, memoryMb: 1_000, waitingMax: 8, waitMs: 60_000 };

/** V8's share of the memory limit; the rest is Typst's. */
const HEAP_SHARE = 0.5;

/**
 * Makes PDFs one at a time, each in a process of its own: laying out a long text takes seconds and hundreds of megabytes, and the
 * native library could end the service.
 */
export function createMakePdf(limits: Partial<PdfLimits> = {}): MakePdf {
  const { timeMs, memoryMb, waitingMax, waitMs } = { ...DEFAULT_LIMITS, ...limits };
  const pool = new ChildPool({
    name: "the PDF maker",
    program: new URL(`./pdf-process${extname(import.meta.url)}`, import.meta.url),
    args: [String(memoryMb)],
    execArgv: [`--max-old-space-size=${Math.floor(memoryMb * HEAP_SHARE)}`],
    answer: PdfResult,
    processes: 1,
    limits: { waitingMax, waitMs, busy: tooManyWait },
    timeMs,
    idleMs: 0,
  });
  return (request, signal) =>
    pool.run(
      async (child) => {
        const result = await child.ask(request, signal).catch((error: unknown) => {
          if (!(error instanceof ChildLost)) throw error;
          throw tooLarge(
            request.kind,
            error.reason === "late"
              ? `more than ${timeMs / 1000} seconds`
              : `more than ${memoryMb} megabytes of memory`,
          );
        });
        if (result.kind === "missing") throw new DomainError("pdf_unavailable", result.part);
        return result.bytes;
      },
      { signal },
    );
}

function tooLarge(kind: PdfRequest["kind"], amount: string): DomainError {
  const elsewhere = kind === "report" ? "on its page or as HTML" : "on its page";
  return new DomainError(
    "pdf_too_large",
    `Making this PDF takes ${amount}. Try again when the service is less busy, or read the ${kind} ${elsewhere}.`,
  );
}

function tooManyWait(): DomainError {
  return new DomainError(
    "service_busy",
    "Too many PDFs are waiting to be made. Retry after the number of seconds in Retry-After.",
  );
}
