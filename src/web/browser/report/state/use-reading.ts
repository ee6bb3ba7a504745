import type { RefObject } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Report } from "../../../../client/index.ts";
import { count } from "../../shared/wording/numbers.ts";
import { findPassage, neighbour } from "../model/find-passage.ts";
import type { NumberedSource, PlacedPassage } from "../model/passages.ts";
import { filterQuery, type NamedPassage, writeAddress } from "../model/report-address.ts";
import { revealPlace } from "../text/place-in-text.ts";
import { type MarkedText, useMarkedText } from "./use-marked-text.ts";
import type { AddressState } from "./use-report-address.ts";

/** How a report is gone through: what is chosen, and what leads from one passage to the next. */
export type Reading = MarkedText & {
  /** The passages that are gone through: all, or those of the chosen source. */
  readonly steps: readonly PlacedPassage[];
  readonly chosen: PlacedPassage | undefined;
  /** `3 of 41`. */
  readonly position: string;
  /** Passages of other sources where the chosen one is. */
  readonly beside: readonly PlacedPassage[];
  readonly source: NumberedSource | undefined;
  /** The chosen passage was asked for on this page, not by the link that opened it. */
  readonly wasAsked: boolean;
  /** The element that holds the blocks. */
  readonly container: RefObject<HTMLDivElement | null>;
  readonly linkOf: (passage: PlacedPassage) => string;
  readonly open: (index: number) => void;
  readonly step: (direction: 1 | -1) => void;
  readonly choose: (sourceId: string | undefined) => void;
  /** Closes the comparison, or else lets go of the chosen source. */
  readonly close: () => void;
  readonly reveal: (offset: number) => void;
};

export function useReading(whole: Report, shown: Report, { address, change }: AddressState): Reading {
  const container = useRef<HTMLDivElement>(null);
  const [wasAsked, setWasAsked] = useState(false);
  const marked = useMarkedText(whole, shown);
  const { text, offsets, passages, blocks } = marked;

  const named = address.passage && {
    ...address.passage,
    start: offsets.toUtf16(address.passage.start),
    end: offsets.toUtf16(address.passage.end),
  };
  const chosen = named && findPassage(passages, named);
  const source = soleSource(marked, address.source, chosen);
  const steps = useMemo(
    () => (source === undefined ? passages : passages.filter((one) => one.source === source)),
    [passages, source],
  );

  const nameOf = ({ start, end, source: { source_document_id } }: PlacedPassage): NamedPassage => ({
    start: offsets.toCodePoint(start),
    end: offsets.toCodePoint(end),
    documentId: source_document_id,
  });
  const reveal = useCallback(
    (offset: number) => container.current && revealPlace(container.current, blocks, offset),
    [blocks],
  );
  const choosePassage = (passage: PlacedPassage | undefined, asked: boolean) => {
    if (passage === undefined) return;
    setWasAsked(asked);
    // Whoever looks at one source alone goes on with that of the passage.
    const sole = source === undefined ? undefined : passage.source.source_document_id;
    change({ passage: nameOf(passage), source: sole }, "replace");
  };
  // The address is read anew with each step; links change only with what they are made of.
  const filters = useMemo(() => address.filters, [filterQuery(address.filters).toString()]);

  // A link may name a place at which these filters leave nothing: it is shown all the same.
  useEffect(() => {
    const start = chosen?.start ?? named?.start;
    if (start !== undefined && start < text.length) reveal(start);
  }, [chosen, reveal, named?.start]);

  return {
    ...marked,
    steps,
    chosen,
    position: chosen === undefined ? "" : `${count(steps.indexOf(chosen) + 1)} of ${count(steps.length)}`,
    beside: chosen === undefined ? [] : passages.filter((one) => isBeside(one, chosen)),
    source,
    wasAsked,
    container,
    linkOf: useCallback(
      (passage) => writeAddress({ filters, source: undefined, passage: nameOf(passage) }),
      [offsets, filters],
    ),
    open: (index) => choosePassage(passages[index], true),
    step: (direction) => choosePassage(neighbour(steps, chosen, direction), false),
    choose: (sourceId) => {
      const first = passages.find((one) => one.source.source_document_id === sourceId);
      change({ source: sourceId, passage: undefined }, "replace");
      if (first !== undefined) reveal(first.start);
    },
    close: () => {
      if (address.passage === undefined) return change({ source: undefined }, "replace");
      change({ passage: undefined }, "replace");
      if (chosen !== undefined) focusNumber(container.current, chosen);
    },
    reveal,
  };
}

/**
 * The source that is looked at alone. None is where filters have left nothing of it, or where a link has led to a passage
 * of another one: there would be no way on from there.
 */
function soleSource(
  { numbered, passages }: MarkedText,
  id: string | undefined,
  chosen: PlacedPassage | undefined,
): NumberedSource | undefined {
  const source = numbered.find(({ source_document_id }) => source_document_id === id);
  if (chosen !== undefined) return chosen.source === source ? source : undefined;
  return passages.some((one) => one.source === source) ? source : undefined;
}

function isBeside(one: PlacedPassage, chosen: PlacedPassage): boolean {
  return one.source !== chosen.source && one.start < chosen.end && one.end > chosen.start;
}

/** Back to where the passage was opened from, so that going on by keyboard begins there. */
function focusNumber(container: Element | null, { index }: PlacedPassage): void {
  container?.querySelector<HTMLElement>(`a[data-passage="${index}"]`)?.focus({ preventScroll: true });
}
