import { UNSHOWABLE } from "../../http/input/upload.ts";
import { storableText } from "../../http/input/wire-types.ts";

export const SourceUrl = storableText({ charsMin: 1, charsMax: 2_000 })
  .refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), {
    error: "must be an http or https URL",
  })
  // A URL parser removes line ends.
  .refine((url) => url.search(UNSHOWABLE) === -1, {
    error: "must be one line, without control characters and without controls of the text's direction",
  })
  .describe("Where the document is published; shown in reports, never fetched.");
