import { z } from "zod";

const ScannedWord = z.object({
  text: z.string(),
  x: z.number().describe("With y, the left end of its baseline."),
  y: z.number(),
  width: z.number(),
});
export type ScannedWord = z.infer<typeof ScannedWord>;

/** A line of words that OCR has found on a page. Lengths in points, in the space of the page. */
const ScannedLine = z.object({
  direction: z
    .object({ x: z.number(), y: z.number() })
    .describe("From its left end to its right one; of length 1."),
  height: z.number(),
  is_right_to_left: z.boolean().optional(),
  words: z.array(ScannedWord).readonly().describe("In the order of reading."),
});
export type ScannedLine = z.infer<typeof ScannedLine>;

/** What OCR has read on a page, as it is kept and sent. */
export const ScannedPage = z.object({
  page: z.number().int().min(1).describe("Its number, from 1."),
  lines: z.array(ScannedLine).readonly(),
});
export type ScannedPage = z.infer<typeof ScannedPage>;
