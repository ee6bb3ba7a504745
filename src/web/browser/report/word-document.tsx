import { Fragment, h } from "preact";
import { useEffect, useImperativeHandle, useMemo, useRef } from "preact/hooks";
import { engine } from "../shared/engine.ts";
import { ErrorNotice } from "../shared/notice.tsx";
import type { TextBlock } from "../shared/text-blocks.ts";
import { scrollToBox } from "../shared/text-places.ts";
import { say, sayCount } from "../shared/texts.ts";
import { useLoaded } from "../shared/use-loaded.ts";
import type { PlacedPassage } from "./passages.ts";
import { type Emphasis, emphasisOf, openClicked, SegmentView } from "./text-view.tsx";
import type { Reading } from "./use-reading.ts";
import { readWordTree, type TextPiece, type WordNode } from "./word-tree.ts";

type WordDocumentProps = { readonly checkId: string; readonly reading: Reading };

/** A Word document as it is divided into headings, lists, tables and notes, with the marks of the text. */
export function WordDocument({ checkId, reading }: WordDocumentProps) {
  const {
    value: html,
    error,
    reload,
  } = useLoaded(checkId, (signal) => engine.getOriginalHtml(checkId, { signal }));
  if (error !== undefined) return <ErrorNotice error={error} onRetry={reload} />;
  if (html === undefined) return <p class="quiet original-state">{say("report.loadingDocument")}</p>;
  return <ReadDocument html={html} reading={reading} />;
}

function ReadDocument({ html, reading }: { readonly html: string; readonly reading: Reading }) {
  const { report, segments, chosen, original, linkOf } = reading;
  const container = useRef<HTMLDivElement>(null);
  const { blocks, unplaced } = useMemo(
    () => readWordTree(html, report.query_text, segments.flat()),
    [html, report, segments],
  );
  const spans = useMemo(() => blockSpans(blocks, report.query_text.length), [blocks, report]);
  const reveal = (offset: number) => {
    const index = spans.findLastIndex(({ start }) => start <= offset);
    const block = container.current?.children[Math.max(0, index)];
    const place = block?.querySelector("mark.chosen") ?? block;
    if (place !== undefined && place !== null) scrollToBox(place.getBoundingClientRect());
  };
  useImperativeHandle(original, () => ({ element: container, blocks: spans, reveal }), [spans]);
  useEffect(() => {
    if (chosen !== undefined) reveal(chosen.start);
  }, [blocks]);
  const emphasis = emphasisOf(reading);
  return (
    <div class="original">
      <p class="quiet original-note">
        {say("report.notShown")} {unplaced > 0 && sayCount("report.unplaced", unplaced)}
      </p>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the number before each passage is a link, which Enter follows */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: one listener for thousands of marks */}
      <div
        class="text word"
        lang={report.language}
        ref={container}
        onClick={(event) => openClicked(event, reading)}
      >
        {blocks.map((block, index) => (
          <WordBlock key={index} block={block} emphasis={emphasis} linkOf={linkOf} />
        ))}
      </div>
    </div>
  );
}

type BlockProps = {
  readonly block: WordNode;
  readonly emphasis: Emphasis;
  readonly linkOf: (passage: PlacedPassage) => string;
};

/** A paragraph, list or table at the top of the document; drawn again only when its own emphasis changes. */
function WordBlock({ block, emphasis, linkOf }: BlockProps) {
  const passages = useMemo(
    () => new Set(piecesOf(block).flatMap(({ segment }) => segment?.passages ?? [])),
    [block],
  );
  const own = (one: PlacedPassage | undefined) => (one !== undefined && passages.has(one) ? one : undefined);
  const passage = own(emphasis.passage);
  const tabStop = own(emphasis.tabStop);
  const source = passages.size > 0 ? emphasis.source : undefined;
  const { noted } = emphasis;
  return useMemo(
    () => <div class="word-block">{drawn([block], { passage, tabStop, source, noted }, linkOf)}</div>,
    [block, passage, tabStop, source, noted, linkOf],
  );
}

function drawn(nodes: readonly WordNode[], emphasis: Emphasis, linkOf: BlockProps["linkOf"]) {
  return nodes.map((node, index) => {
    switch (node.kind) {
      case "text":
        return (
          <Fragment key={index}>
            {node.pieces.map(({ text, segment }, at) =>
              segment === undefined ? (
                text
              ) : (
                <SegmentView key={at} text={text} segment={segment} emphasis={emphasis} linkOf={linkOf} />
              ),
            )}
          </Fragment>
        );
      case "reference":
        return (
          <a key={index} id={node.name} class="note-link" href={`#${node.to}`} onClick={followReference}>
            {node.text}
          </a>
        );
      case "hidden":
        return (
          <del key={index} class="hidden-text" title={say("report.hiddenInDocument")} data-text={node.text} />
        );
      case "element":
        return <WordElement key={index} node={node} emphasis={emphasis} linkOf={linkOf} />;
      default:
        return node satisfies never;
    }
  });
}

type ElementProps = Omit<BlockProps, "block"> & { readonly node: Extract<WordNode, { kind: "element" }> };

function WordElement({ node, emphasis, linkOf }: ElementProps) {
  const { tag, name, level, colSpan, rowSpan, start, children } = node;
  const inner = tag === "br" ? undefined : drawn(children, emphasis, linkOf);
  if (level !== undefined) return h(`h${level}`, { class: `word-heading ${tag}`, dir: "auto" }, inner);
  if (tag === "table")
    return (
      // biome-ignore lint/a11y/useSemanticElements: a section of each table would be a landmark of the page
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, which the keyboard must be able to do
      <div class="word-table" tabIndex={0} role="group" aria-label={say("report.table")}>
        <table>{inner}</table>
      </div>
    );
  return h(
    tag,
    {
      id: name,
      tabIndex: name === undefined ? undefined : -1,
      colSpan,
      rowSpan,
      start,
      dir: tag === "p" ? "auto" : undefined,
    },
    inner,
  );
}

/** Scrolls to a note or back, without changing the address, which names the chosen passage. */
function followReference(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
  if (!(event.currentTarget instanceof HTMLAnchorElement)) return;
  const target = document.getElementById(event.currentTarget.hash.slice(1));
  if (target === null) return;
  scrollToBox(target.getBoundingClientRect());
  target.focus({ preventScroll: true });
}

function piecesOf(node: WordNode): readonly TextPiece[] {
  if (node.kind === "text") return node.pieces;
  return node.kind === "element" ? node.children.flatMap(piecesOf) : [];
}

/** The part of the text that each block shows, up to the next one; a block without text shows none. */
function blockSpans(blocks: readonly WordNode[], length: number): TextBlock[] {
  const spans: TextBlock[] = [];
  for (const block of blocks.toReversed()) {
    const end = spans.at(-1)?.start ?? length;
    const start = piecesOf(block).find((piece) => piece.start !== undefined)?.start ?? end;
    spans.push({ start, end });
  }
  return spans.reverse();
}
