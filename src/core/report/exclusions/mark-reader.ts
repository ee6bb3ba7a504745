import type { Span } from "../../text/span.ts";

/** Takes the quotation marks of a text one by one, in order, and says at the end what they enclose, marks included. */
export type MarkReader = {
  /** `offset` in UTF-16 units; `paragraph` grows wherever a paragraph ends. */
  readonly read: (mark: string, offset: number, paragraph: number) => void;
  readonly finish: () => readonly Span[];
};

/** Whether the text between an opening and a closing mark at these UTF-16 offsets is short enough for a quotation. */
export type FitsQuotation = (opening: number, closing: number) => boolean;
