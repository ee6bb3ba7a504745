import type { RefObject } from "preact";
import { useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { SmallButton } from "../shared/elements.tsx";
import { ErrorNotice, Notice } from "../shared/notice.tsx";
import type { TextBlock } from "../shared/text-blocks.ts";
import { scrollToBox } from "../shared/text-places.ts";
import { say, sayCount, texts } from "../shared/texts.ts";
import { PageMarks } from "./page-marks.tsx";
import { type PagePiece, piecesIn } from "./page-places.ts";
import { openClicked } from "./text-view.tsx";
import { type Pdf, type PdfPage, usePdf } from "./use-pdf.ts";
import type { Reading } from "./use-reading.ts";

type PdfPagesProps = { readonly checkId: string; readonly reading: Reading };

/** The pages of a PDF as they look, with the marks of the text upon them. */
export function PdfPages({ checkId, reading }: PdfPagesProps) {
  const { pdf, error } = usePdf(checkId, reading.report);
  if (error !== undefined)
    return (
      <div class="original">
        <ErrorNotice error={error} onRetry={() => location.reload()} />
      </div>
    );
  const [first] = pdf?.pages ?? [];
  if (pdf === undefined || first === undefined)
    return <p class="quiet original-state">{say("report.loadingPages")}</p>;
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
          {sayCount("report.reading", file.numPages)}
        </p>
      )}
      {isRead && pieces === undefined && (
        <Notice kind="warn" title={say("report.noMarks")}>
          <p>{say("report.noMarksText")}</p>
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

/** About a line, to be shown with the text after it. */
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

/** The width of the pages in pixels of the screen, which also changes with the zoom of the pages and of the browser. */
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
      {isFailed && <p class="page-fault">{say("report.pageFault")}</p>}
    </>
  );
}

/** Widths of a page as multiples of the width of its view. */
const LEVELS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4] as const;

/** As wide as a phone, a page of 10-point text has letters of 5 pixels. */
const NARROW_PX = 560;
const NARROW_SCALE = 2;

type Zoom = { readonly scale: number; readonly change: (scale: number) => void };

/** The middle of the window as a place on a page: its index, and shares of its width and height. */
type Place = { readonly page: number; readonly across: number; readonly down: number };

/** The size of the pages in a container; a change keeps the place in the middle of the window there. */
function useZoom(container: RefObject<HTMLDivElement | null>): Zoom {
  const [scale, setScale] = useState(() => (innerWidth < NARROW_PX ? NARROW_SCALE : 1));
  const kept = useRef<Place | undefined>(undefined);
  useLayoutEffect(() => {
    if (container.current !== null && kept.current !== undefined) restore(container.current, kept.current);
    kept.current = undefined;
  }, [scale]);
  const change = (next: number) => {
    if (container.current !== null) kept.current = placeInMiddle(container.current);
    setScale(next);
  };
  return { scale, change };
}

function middleOf(container: Element): readonly [x: number, y: number] {
  const { left, width } = container.getBoundingClientRect();
  return [left + width / 2, innerHeight / 2];
}

function placeInMiddle(container: Element): Place | undefined {
  const [x, y] = middleOf(container);
  const pages = [...container.children];
  const below = pages.findIndex((page) => page.getBoundingClientRect().bottom > y);
  const page = below < 0 ? pages.length - 1 : below;
  const box = pages[page]?.getBoundingClientRect();
  return box && { page, across: (x - box.left) / box.width, down: (y - box.top) / box.height };
}

function restore(container: Element, { page, across, down }: Place): void {
  const [x, y] = middleOf(container);
  const box = container.children[page]?.getBoundingClientRect();
  if (box === undefined) return;
  container.scrollBy({ left: box.left + across * box.width - x, behavior: "instant" });
  scrollBy({ top: box.top + down * box.height - y, behavior: "instant" });
}

/** Scrolls a container sideways until a place in the window is in view, with some text after it. */
function revealSideways(container: Element, x: number): void {
  const { left, width } = container.getBoundingClientRect();
  if (x < left || x > left + SHOWN_SHARE * width)
    container.scrollBy({ left: x - left - (1 - SHOWN_SHARE) * width, behavior: "instant" });
}

const SHOWN_SHARE = 0.8;

/** The buttons that change the size of the pages, at the bottom of the window while pages are in it. */
function ZoomBar({ scale, change }: Zoom) {
  const smaller = LEVELS.findLast((level) => level < scale);
  const larger = LEVELS.find((level) => level > scale);
  return (
    <fieldset class="zoom-bar">
      <legend class="hidden-visually">{say("report.pageSize")}</legend>
      <SmallButton
        aria-label={say("report.smaller")}
        aria-disabled={smaller === undefined}
        onClick={() => smaller !== undefined && change(smaller)}
      >
        −
      </SmallButton>
      <output>{texts.wholePercent(Math.round(scale * 100))}</output>
      <SmallButton
        aria-label={say("report.larger")}
        aria-disabled={larger === undefined}
        onClick={() => larger !== undefined && change(larger)}
      >
        +
      </SmallButton>
      <SmallButton aria-pressed={scale === 1} onClick={() => change(1)}>
        {say("report.fitWidth")}
      </SmallButton>
    </fieldset>
  );
}
