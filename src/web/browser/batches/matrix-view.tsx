import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { SmallButton } from "../shared/elements.tsx";
import { Choice } from "../shared/list-controls.tsx";
import { announce } from "../shared/mount.tsx";
import { say, sayCount, texts } from "../shared/texts.ts";
import { count, isolated, wholePercent } from "../shared/wording.ts";
import type { ShownBatch } from "./batch-address.ts";
import { inAddress, pairHref } from "./batch-address.ts";
import { clusterWith, type MemberCluster, pairsFrom } from "./batch-graph.ts";
import { LEVELS, namesInWords, shortNames } from "./batch-wording.ts";
import {
  type Colours,
  drawCells,
  drawMarks,
  MATRIX_MEMBERS_MAX,
  type Matrix,
  matrixSvg,
  movedPlace,
  NAMED_CELL_PX,
  namesSpace,
  nearestPair,
  type Place,
  toMatrix,
} from "./matrix.ts";
import { LevelKey, PairLine, pairInWords } from "./pair-table.tsx";
import { SaveButton, saveSvg, useWidth } from "./svg-file.tsx";

/** The sides of a cell that can be chosen, in pixels. */
const CELL_SIDES = [2, 3, 4, 6, 9, 12, 16, 22, 28] as const;

const HEIGHT_MAX_PX = 760;

const NAME_CHARS_MAX = 18;

/** How far from a pair the pointer may be, in pixels: cells of a large matrix are small. */
const REACH_PX = 6;

type MatrixViewProps = ShownBatch & {
  readonly clusters: readonly MemberCluster[];
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
};

/**
 * All pairs of the clustered members, or of one cluster, as a matrix: each row says how much of its text the texts of the columns contain.
 */
export function MatrixView({ batchId, graph, address, clusters, onChange }: MatrixViewProps) {
  const { pctMin } = address;
  const alone = clusterWith(clusters, address.cluster);
  const names = useMemo(
    () =>
      shortNames(
        graph.members.map(({ name }) => name),
        NAME_CHARS_MAX,
      ),
    [graph],
  );
  const matrix = useMemo(
    () => toMatrix(alone === undefined ? clusters : [alone], pairsFrom(graph.pairs, pctMin), names),
    [clusters, alone, graph, pctMin, names],
  );
  // Made once: with the pointer, the view is drawn again at each cell.
  const options = useMemo(
    () => [
      { value: "", label: say("batch.allClusters") },
      ...clusters.map((cluster) => ({
        value: String(cluster.id),
        label: say("join.colon", {
          name: sayCount("count.texts", cluster.members.length),
          text: namesInWords(cluster, names),
        }),
      })),
    ],
    [clusters, names],
  );
  const size = matrix.members.length;
  const place = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const cells = useMemo(() => document.createElement("canvas"), []);
  const drawAll = useRef<() => void>(undefined);
  const width = useWidth(place);
  const [chosenSide, setChosenSide] = useState<number>();
  // In the matrix of one cluster, names matter more than seeing all of it at once.
  const cell = chosenSide ?? Math.max(alone === undefined ? 0 : NAMED_CELL_PX, fittingSide(matrix, width));
  const [current, setCurrent] = useState<Place>();
  const space = namesSpace(matrix, cell);
  const extent = space + size * cell + 2;
  const [viewWidth, viewHeight] = [Math.min(width, extent), Math.min(HEIGHT_MAX_PX, extent)];
  const colours = useColours(place);
  const at = current !== undefined && current.row < size && current.column < size ? current : undefined;
  const pair = at && matrix.pairAt(at.row, at.column);
  const hrefOf = () => (pair === undefined ? undefined : pairHref(batchId, pair, address));

  const viewOf = (box: HTMLElement) => ({
    ...{ cell, width: viewWidth, height: viewHeight },
    ...{ left: Math.round(box.scrollLeft), top: Math.round(box.scrollTop) },
  });

  // The cells are drawn again only when they move; the pointer moves the marks above them.
  useLayoutEffect(() => {
    const [context, box] = [cells.getContext("2d"), scroller.current];
    if (context === null || box === null || colours === undefined || viewWidth === 0) return;
    cells.width = Math.round(viewWidth * devicePixelRatio);
    cells.height = Math.round(viewHeight * devicePixelRatio);
    const draw = () => {
      context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
      drawCells(context, matrix, viewOf(box), colours);
      drawAll.current?.();
    };
    draw();
    box.addEventListener("scroll", draw, { passive: true });
    return () => box.removeEventListener("scroll", draw);
  }, [matrix, cell, viewWidth, viewHeight, colours]);

  useLayoutEffect(() => {
    const [context, box] = [canvas.current?.getContext("2d"), scroller.current];
    if (context == null || box === null || colours === undefined || viewWidth === 0) return;
    drawAll.current = () => {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.drawImage(cells, 0, 0);
      context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
      drawMarks(context, matrix, viewOf(box), at, colours);
    };
    drawAll.current();
  }, [matrix, cell, viewWidth, viewHeight, at, colours]);

  const placeOf = (event: MouseEvent): Place | undefined => {
    const box = canvas.current?.getBoundingClientRect();
    if (box === undefined || scroller.current === null) return undefined;
    const [x, y] = [event.clientX - box.left - space, event.clientY - box.top - space];
    const column = Math.floor((x + scroller.current.scrollLeft) / cell);
    const row = Math.floor((y + scroller.current.scrollTop) / cell);
    if (x < 0 || y < 0 || row >= size || column >= size) return undefined;
    return nearestPair(matrix, { row, column }, Math.floor(REACH_PX / cell));
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && pair !== undefined) return location.assign(hrefOf() ?? "");
    const next = movedPlace(matrix, at ?? { row: 0, column: 0 }, event.key, event.ctrlKey || event.metaKey);
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    reveal(scroller.current, next, { cell, space });
    announce(placeInWords(next));
  };
  const placeInWords = ({ row, column }: Place) => {
    const found = matrix.pairAt(row, column);
    if (found !== undefined) return pairInWords(found);
    const [name = "", other = ""] = [matrix.members[row]?.name, matrix.members[column]?.name];
    if (row === column) return say("batch.diagonal", { name: isolated(name) });
    return say("join.colon", {
      name: texts.list([isolated(name), isolated(other)]),
      text: say("batch.noPairs", { pct: wholePercent(pctMin) }),
    });
  };
  const zoom = (step: 1 | -1) => {
    const next =
      step === 1 ? CELL_SIDES.find((side) => side > cell) : CELL_SIDES.findLast((side) => side < cell);
    if (next !== undefined) setChosenSide(next);
  };
  const onSave = () => colours !== undefined && saveSvg(matrixSvg(matrix, colours), say("batch.matrix"));
  const all = alone?.members.length ?? clusters.reduce((sum, { members }) => sum + members.length, 0);
  return (
    <div class="matrix-view">
      <div class="drawing-bar">
        <p>{sayCount("count.texts", size)}</p>
        {clusters.length > 1 && (
          <Choice
            label={say("batch.cluster")}
            options={options}
            value={alone === undefined ? "" : String(alone.id)}
            onChange={(id) => onChange(inAddress.cluster(id === "" ? undefined : Number(id)))}
          />
        )}
        <LevelKey />
        <span class="zoom">
          <SmallButton
            disabled={cell === CELL_SIDES[0]}
            onClick={() => zoom(-1)}
            aria-label={say("report.smaller")}
          >
            −
          </SmallButton>
          <SmallButton
            disabled={cell === CELL_SIDES.at(-1)}
            onClick={() => zoom(1)}
            aria-label={say("report.larger")}
          >
            +
          </SmallButton>
          <SaveButton drawing={say("batch.matrix")} onSave={onSave} />
        </span>
      </div>
      <div class="matrix-caption">
        {pair !== undefined ? (
          <PairLine pair={pair} href={pairHref(batchId, pair, address)} />
        ) : (
          <p class="quiet">
            {at === undefined ? say("batch.matrixHelp", { pct: wholePercent(pctMin) }) : placeInWords(at)}
          </p>
        )}
      </div>
      <div class="matrix-place" dir="ltr" ref={place}>
        <div
          class="matrix-scroller"
          ref={scroller}
          role="application"
          aria-label={say("batch.similarityMatrix")}
          aria-roledescription={say("batch.matrix")}
          aria-description={say("batch.matrixKeys")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys move through its cells
          tabIndex={0}
          style={{ inlineSize: `${viewWidth}px`, blockSize: `${viewHeight}px` }}
          onKeyDown={onKey}
          onPointerMove={(event) => {
            const found = event.pointerType === "mouse" ? placeOf(event) : undefined;
            if (found !== undefined && (found.row !== at?.row || found.column !== at.column))
              setCurrent(found);
          }}
          onClick={(event) => {
            const found = placeOf(event);
            const chosen = found && matrix.pairAt(found.row, found.column);
            setCurrent(found);
            // A finger has not seen the names yet: they come with a link.
            const isTouch = event instanceof PointerEvent && event.pointerType !== "mouse";
            if (chosen !== undefined && !isTouch) location.assign(pairHref(batchId, chosen, address));
          }}
        >
          <div style={{ inlineSize: `${extent}px`, blockSize: `${extent}px` }}>
            <canvas
              ref={canvas}
              width={Math.round(viewWidth * devicePixelRatio)}
              height={Math.round(viewHeight * devicePixelRatio)}
              style={{ inlineSize: `${viewWidth}px`, blockSize: `${viewHeight}px` }}
            />
          </div>
        </div>
      </div>
      {all > MATRIX_MEMBERS_MAX && (
        <p class="hint">{say("batch.matrixLimited", { shown: count(size), total: count(all) })}</p>
      )}
    </div>
  );
}

/** The largest cells with which the matrix fits. */
function fittingSide(matrix: Matrix, width: number): number {
  const side = Math.min(width, HEIGHT_MAX_PX);
  const fits = (cell: number) => namesSpace(matrix, cell) + matrix.members.length * cell + 2 <= side;
  return CELL_SIDES.findLast(fits) ?? CELL_SIDES[0];
}

/** Scrolls so that a cell is in view. */
function reveal(
  box: HTMLElement | null,
  { row, column }: Place,
  { cell, space }: { readonly cell: number; readonly space: number },
): void {
  if (box === null) return;
  const within = (at: number, from: number, length: number) =>
    Math.min(at * cell, Math.max(from, (at + 1) * cell - (length - space)));
  box.scrollTo({
    left: within(column, box.scrollLeft, box.clientWidth),
    top: within(row, box.scrollTop, box.clientHeight),
    behavior: "instant",
  });
}

/** The colours of the page's styles, which a canvas has to be told; again when the colour scheme changes. */
function useColours(place: { readonly current: HTMLElement | null }): Colours | undefined {
  const [colours, setColours] = useState<Colours>();
  useEffect(() => {
    const read = () => place.current !== null && setColours(coloursIn(place.current));
    read();
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", read);
    return () => scheme.removeEventListener("change", read);
  }, [place]);
  return colours;
}

function coloursIn(place: HTMLElement): Colours {
  const probe = document.createElement("span");
  place.append(probe);
  const colour = (className: string) => {
    probe.className = className;
    return getComputedStyle(probe).backgroundColor;
  };
  const colours = {
    levels: LEVELS.map((_, at) => colour(`level-${at + 1}`)),
    ground: colour("matrix-ground"),
    diagonal: colour("matrix-diagonal"),
    line: colour("matrix-line"),
    ink: colour("matrix-ink"),
    current: colour("matrix-current"),
  };
  probe.remove();
  return colours;
}
