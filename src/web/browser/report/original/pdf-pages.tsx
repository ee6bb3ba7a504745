import type { RefObject } from "preact";
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { ErrorNotice, Notice } from "../../shared/notice.tsx";
import type { TextBlock } from "../../shared/text-blocks.ts";
import { scrollToBox } from "../../shared/text-places.ts";
import { count } from "../../shared/wording.ts";
import { openClicked } from "../text-view.tsx";
import type { Reading } from "../use-reading.ts";
import { PageMarks } from "./page-marks.tsx";
import { type PagePiece, piecesIn } from "./page-places.ts";
import { revealSideways, useZoom, ZoomBar } from "./page-zoom.tsx";
import { type Pdf, type PdfPage, usePdf } from "./use-pdf.ts";

type PdfPagesProps = { readonly checkId: string; readonly reading: Reading };

/** The pages of a PDF as they look, with the marks of the text upon them. */
export function PdfPages({ checkId, reading }: PdfPagesProps) {
  const { pdf, error } = usePdf(checkId, reading.report.query_text);
  if (error !== undefined)
    return (
      <div class="original">
        <ErrorNotice error={error} onRetry={() => location.reload()} />
      </div>
    );
  const [first] = pdf?.pages ?? [];
  if (pdf === undefined || first === undefined) return <p class="quiet original-state">Loading the pages…</p>;
  return <ReadPages pdf={pdf} first={first} reading={reading} />;
}

type ReadPagesProps = { readonly pdf: Pdf; readonly first: PdfPage; readonly reading: Reading };

function ReadPages({ pdf: { document: file, pages, pieces, isRead }, first, reading }: ReadPagesProps) {
  const { original, chosen } = reading;
  const container = useRef<HTMLDivElement>(null);
  const near = useNearPages(container, file.numPages);
  const zoom = useZoom(container);
  const width = useWidth(container);
  const byPage = useMemo(() => segmentsByPage(reading, pieces ?? []), [reading.segments, pieces]);
  const reveal = (offset: number) => {
    const [piece] = piecesIn(pieces ?? [], { start: offset, end: Number.POSITIVE_INFINITY });
    const page = piece && pages[piece.page];
    const element = piece && container.current?.children[piece.page];
    if (piece === undefined || page === undefined || element === undefined) return;
    const [x, y] = [piece.item.transform[4] ?? 0, piece.item.transform[5] ?? 0];
    const box = element.getBoundingClientRect();
    const [across, down] = page.viewport.convertToViewportPoint(x, y);
    const bottom = box.top + (Number(down) / page.viewport.height) * box.height;
    scrollToBox({ top: bottom - LINE_PX, bottom });
    if (element.parentElement !== null)
      revealSideways(element.parentElement, box.left + (Number(across) / page.viewport.width) * box.width);
  };
  useImperativeHandle(
    original,
    () => ({ element: container, blocks: pageSpans(pieces ?? [], file.numPages), reveal }),
    [pieces],
  );
  useEffect(() => {
    if (chosen !== undefined) reveal(chosen.start);
  }, [pieces]);
  return (
    <div class="original">
      {!isRead && (
        <p class="quiet original-note" role="status">
          Reading {count(file.numPages)} pages to find the passages on them…
        </p>
      )}
      {isRead && pieces === undefined && (
        <Notice kind="warn" title="Passages can’t be shown on these pages">
          <p>
            Another version of this service read the file, so its text may stand elsewhere. The text view
            shows all passages.
          </p>
        </Notice>
      )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the number before each passage is a link, which Enter follows */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: one listener for thousands of marks */}
      <div
        class="pages"
        ref={container}
        style={{ "--zoom": zoom.scale }}
        onClick={(event) => openClicked(event, reading)}
      >
        {Array.from({ length: file.numPages }, (_, index) => {
          const page = pages[index];
          const { width: ratioWidth, height } = (page ?? first).viewport;
          return (
            <div
              key={index}
              class="page"
              data-page={index}
              style={{ aspectRatio: `${ratioWidth} / ${height}` }}
            >
              {page !== undefined && near.has(index) && (
                <>
                  <PageCanvas page={page} number={index + 1} width={width} />
                  <PageMarks
                    page={page}
                    width={width / devicePixelRatio}
                    marked={byPage.get(index) ?? []}
                    reading={reading}
                  />
                </>
              )}
            </div>
          );
        })}
      </div>
      <ZoomBar {...zoom} />
    </div>
  );
}

/** The part of the text that stands on each page; an empty one where that is not known. */
function pageSpans(pieces: readonly PagePiece[], pages: number): TextBlock[] {
  if (pieces.length === 0) return [];
  const spans: TextBlock[] = [];
  const byPage = Map.groupBy(pieces, ({ page }) => page);
  for (let page = 0; page < pages; page++) {
    const own = byPage.get(page);
    const before = spans.at(-1)?.end ?? 0;
    spans.push({ start: own?.[0]?.start ?? before, end: own?.at(-1)?.end ?? before });
  }
  return spans;
}

/** About a line, which is to be in view with what follows it. */
const LINE_PX = 20;

/** The marked segments of each page, with the pieces of the page that they cover. */
function segmentsByPage({ segments }: Reading, pieces: readonly PagePiece[]) {
  const byPage = new Map<number, { segment: Reading["segments"][number][number]; pieces: PagePiece[] }[]>();
  for (const segment of segments.flat()) {
    if (segment.passages.length === 0 && !segment.isOrphan && segment.excluded === undefined) continue;
    const covered = piecesIn(pieces, segment);
    for (const [page, own] of Map.groupBy(covered, (piece) => piece.page)) {
      const marked = byPage.get(page) ?? [];
      // The numbers of passages stand only where they begin, not on their next page.
      marked.push({ segment: page === covered[0]?.page ? segment : { ...segment, begins: [] }, pieces: own });
      byPage.set(page, marked);
    }
  }
  return byPage;
}

/** Pages within this many window heights are drawn, so that scrolling shows no empty page. */
const NEAR = "150% 0px";

function useNearPages(container: RefObject<HTMLDivElement | null>, pages: number): ReadonlySet<number> {
  const [near, setNear] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) =>
        setNear((before) => {
          const now = new Set(before);
          for (const { target, isIntersecting } of entries) {
            const index = Number(target.getAttribute("data-page"));
            if (isIntersecting) now.add(index);
            else now.delete(index);
          }
          return now;
        }),
      { rootMargin: NEAR },
    );
    for (const page of container.current?.children ?? []) observer.observe(page);
    return () => observer.disconnect();
  }, [pages]);
  return near;
}

/** The width of the pages in pixels of the screen, which also changes with the zoom of the pages and that of the browser. */
function useWidth(container: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const page = container.current?.firstElementChild;
      setWidth(Math.round((page?.clientWidth ?? 0) * devicePixelRatio));
    };
    measure();
    const observer = new ResizeObserver(measure);
    const page = container.current?.firstElementChild;
    if (page instanceof Element) observer.observe(page);
    addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
    };
  }, []);
  return width;
}

/** Larger drawings would take too much memory on phones, and browsers refuse them. */
const PIXELS_MAX = 12_000_000;

type PageCanvasProps = { readonly page: PdfPage; readonly number: number; readonly width: number };

/** Draws a page once for each width. Fields of forms are drawn as they were filled in. */
function PageCanvas({ page: { proxy, viewport }, number, width }: PageCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isFailed, setIsFailed] = useState(false);
  useEffect(() => {
    const element = canvas.current;
    if (element === null || width === 0) return;
    const most = Math.sqrt(PIXELS_MAX / (viewport.width * viewport.height));
    const scaled = proxy.getViewport({ scale: Math.min(width / viewport.width, most) });
    element.removeAttribute("data-drawn");
    element.width = Math.round(scaled.width);
    element.height = Math.round(scaled.height);
    const task = proxy.render({ canvas: element, viewport: scaled });
    task.promise.then(
      () => element.setAttribute("data-drawn", ""),
      (error: unknown) =>
        setIsFailed(!(error instanceof Error && error.name === "RenderingCancelledException")),
    );
    return () => task.cancel();
  }, [proxy, width]);
  return (
    <>
      <canvas ref={canvas} role="img" aria-label={`Page ${number}`} />
      {isFailed && <p class="page-fault">This page can’t be drawn. Download the file to see it.</p>}
    </>
  );
}
