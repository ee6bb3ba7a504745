import type { RefObject } from "preact";
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PassageNote, Report, Source } from "../../../client/index.ts";
import { codePointOffsets } from "../../../text/code-points.ts";
import { namedSpan, type Span } from "../../../text/span.ts";
import { type TextBlock, textBlocks } from "../shared/text-blocks.ts";
import { revealPlace, selectSpan } from "../shared/text-places.ts";
import {
  blockSegments,
  findPassage,
  neighbour,
  type PlacedPassage,
  placedPassages,
  type Segment,
} from "./passages.ts";
import {
  type AddressState,
  type Filters,
  filterQuery,
  type LinkedPlace,
  readReference,
  referenceTo,
  writeAddress,
} from "./report-address.ts";

/** The view of an original file, where a place of the text can be scrolled into view. */
type OriginalPlaces = {
  readonly element: RefObject<HTMLDivElement | null>;
  /** The part of the text that each child of the element shows, in order; empty until it is known. */
  readonly blocks: readonly TextBlock[];
  readonly reveal: (offset: number) => void;
};

export type Reading = MarkedText & {
  readonly notes: Notes;
  /** The report without filters. */
  readonly report: Report;
  readonly filters: Filters;
  /** The passages that Next and Previous go through: all, or only the chosen source's. */
  readonly steps: readonly PlacedPassage[];
  readonly chosen: PlacedPassage | undefined;
  readonly overlapping: readonly PlacedPassage[];
  readonly source: Source | undefined;
  /** Whether the comparison takes the focus: the reader opened it here, not by a link or a step. */
  readonly takesFocus: boolean;
  /** The blocks of the text; null while the original file is shown. */
  readonly container: RefObject<HTMLDivElement | null>;
  /** The view of the original file, while it is shown instead of the text. */
  readonly original: RefObject<OriginalPlaces | null>;
  readonly linkOf: (passage: PlacedPassage) => string;
  readonly open: (index: number) => void;
  readonly step: (direction: 1 | -1) => void;
  readonly choose: (sourceId: string | undefined) => void;
  /** Closes the comparison, or else shows all sources again. */
  readonly close: () => void;
  readonly reveal: (offset: number) => void;
  /** Scrolls a part of the text into view and selects it; the original file is only scrolled. */
  readonly select: (span: Span) => void;
  /** Names a passage for the filter that excludes it. */
  readonly referenceOf: (passage: PlacedPassage) => string;
};

/** @param whole the report without filters, which numbers the sources @param shown the report with the current filters */
export function useReading(whole: Report, shown: Report, { address, kept, change }: AddressState): Reading {
  const container = useRef<HTMLDivElement>(null);
  const original = useRef<OriginalPlaces>(null);
  const [takesFocus, setTakesFocus] = useState(false);
  const text = whole.query_text;
  const marked = useMarkedText(whole, shown);
  const { passages, blocks } = marked;
  const notes = useNotes(whole, passages);
  const offsets = useMemo(() => codePointOffsets(text), [text]);

  const linked = address.passage && {
    ...address.passage,
    start: offsets.toUtf16(address.passage.start),
    end: offsets.toUtf16(address.passage.end),
  };
  const chosen = linked && findPassage(passages, linked);
  const source = soleSource(marked, address.source, chosen);
  const steps = useMemo(
    () => (source === undefined ? passages : passages.filter((one) => one.source === source)),
    [passages, source],
  );

  const linkedPassage = ({ start, end, source: { source_document_id } }: PlacedPassage): LinkedPlace => ({
    start: offsets.toCodePoint(start),
    end: offsets.toCodePoint(end),
    documentId: source_document_id,
  });
  const reveal = useCallback(
    (offset: number) => {
      if (original.current !== null) original.current.reveal(offset);
      else if (container.current !== null) revealPlace(container.current, blocks, offset);
    },
    [blocks],
  );
  const select = (span: Span) => {
    reveal(span.start);
    if (container.current !== null) selectSpan(container.current, blocks, span);
  };
  const choosePassage = (passage: PlacedPassage | undefined, isOpened: boolean) => {
    if (passage === undefined) return;
    setTakesFocus(isOpened);
    // While a single source is shown, opening a passage of another one switches to that source.
    const sole = source === undefined ? undefined : passage.source.source_document_id;
    change({ passage: linkedPassage(passage), source: sole }, "replaceState");
  };
  // The address is read again with each step, but links only change with their filters.
  const filters = useMemo(() => address.filters, [filterQuery(address.filters).toString()]);
  const keptFilters = useMemo(() => kept, [kept && filterQuery(kept).toString()]);

  // A linked place is shown even if the filters leave no passage there.
  useEffect(() => {
    const start = chosen?.start ?? linked?.start;
    if (start !== undefined && start < text.length) reveal(start);
  }, [chosen, reveal, linked?.start]);

  return {
    ...marked,
    notes,
    report: whole,
    filters,
    steps,
    chosen,
    overlapping: passages.filter(
      ({ source: { number }, start, end }) =>
        chosen !== undefined && number !== chosen.source.number && start < chosen.end && end > chosen.start,
    ),
    source,
    takesFocus,
    container,
    original,
    select,
    linkOf: useCallback(
      (passage) =>
        writeAddress(
          { filters, source: undefined, passage: linkedPassage(passage), view: address.view },
          keptFilters,
        ),
      [offsets, filters, keptFilters, address.view],
    ),
    open: (index) => choosePassage(passages[index], true),
    step: (direction) => choosePassage(neighbour(steps, chosen, direction), false),
    choose: (sourceId) => {
      const first = passages.find((one) => one.source.source_document_id === sourceId);
      change({ source: sourceId, passage: undefined }, "replaceState");
      if (first !== undefined) reveal(first.start);
    },
    close: () => {
      if (address.passage === undefined) return change({ source: undefined }, "replaceState");
      change({ passage: undefined }, "replaceState");
      if (chosen !== undefined) focusNumber(container.current ?? original.current?.element.current, chosen);
    },
    reveal,
    referenceOf: (passage) => referenceTo(linkedPassage(passage)),
  };
}

type MarkedText = {
  readonly passages: readonly PlacedPassage[];
  readonly blocks: readonly TextBlock[];
  readonly segments: readonly (readonly Segment[])[];
};

/** Computed once per report, and again for each change of filters. */
function useMarkedText(whole: Report, shown: Report): MarkedText {
  const blocks = useMemo(() => textBlocks(whole.query_text), [whole]);
  const passages = useMemo(() => placedPassages(shown), [shown]);
  const segments = useMemo(
    () =>
      blockSegments(blocks, {
        passages,
        flags: whole.integrity_flags,
        excluded: shown.explanation?.filtered_out ?? [],
        unique: shown.unique_passages,
        margins: whole.page_margins,
      }),
    [blocks, whole, shown, passages],
  );
  return { passages, blocks, segments };
}

/** The source that is shown alone; none if the filters exclude all of it, or a link leads to a passage of another source. */
function soleSource(
  { passages }: MarkedText,
  id: string | undefined,
  chosen: PlacedPassage | undefined,
): Source | undefined {
  const { source } = passages.find((one) => one.source.source_document_id === id) ?? {};
  return chosen === undefined || chosen.source === source ? source : undefined;
}

/** Returns to the number that opened the passage, so that the keyboard continues there. */
function focusNumber(container: Element | null | undefined, { index }: PlacedPassage): void {
  container?.querySelector<HTMLElement>(`a[data-passage="${index}"]`)?.focus({ preventScroll: true });
}

type Notes = {
  /** The note of a passage, also of one that a filter has cut; empty without one. */
  readonly of: (passage: PlacedPassage) => string;
  /** The note of a passage as a filter or a link names it; empty without one. */
  readonly ofReference: (reference: string) => string;
  /** The passages of the text that have one. */
  readonly noted: ReadonlySet<PlacedPassage>;
  /** Takes over the engine's stored state. */
  readonly add: (written: PassageNote) => void;
};

/** The notes of a report, with those that were written on this page. @param whole the report without filters */
function useNotes(whole: Report, passages: readonly PlacedPassage[]): Notes {
  const [written, setWritten] = useState<readonly PassageNote[]>([]);
  return useMemo(() => {
    const { toUtf16 } = codePointOffsets(whole.query_text);
    const placed = (reference: string) => {
      const { start = 0, end = 0, documentId } = readReference(reference) ?? {};
      return { start: toUtf16(start), end: toUtf16(end), documentId };
    };
    const latest = new Map([...whole.notes, ...written].map(({ passage, note }) => [passage, note ?? ""]));
    const notes = [...latest].map(([reference, note]) => ({ ...placed(reference), note }));
    const noteAt = (documentId: string | undefined, range: Span) => {
      const own = notes.filter((note) => note.documentId === documentId);
      if (own.length === 0) return "";
      const source = whole.sources.find(({ source_document_id: id }) => id === documentId);
      const places = source?.passages.map(({ query_start: start, query_end: end }) => ({ start, end }));
      const passage = namedSpan(places ?? [], range);
      return own.find(({ start, end }) => start === passage?.start && end === passage.end)?.note ?? "";
    };
    const of = (passage: PlacedPassage) => noteAt(passage.source.source_document_id, passage);
    return {
      of,
      ofReference: (reference) => {
        const { documentId, ...range } = placed(reference);
        return noteAt(documentId, range);
      },
      noted: new Set(passages.filter((passage) => of(passage) !== "")),
      add: (one) => setWritten((before) => [...before, one]),
    };
  }, [whole, passages, written]);
}
