import { Parser } from "htmlparser2";

/** A word that OCR has found. The box is in pixels of the picture, from above. */
export type HocrWord = {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** How sure the engine is of it, in percent. */
  readonly confidence: number;
};

export type HocrLine = {
  /** The height of its letters, with the parts below the baseline. */
  readonly height: number;
  /** The baseline: its height above the lower edge of the picture's coordinates at `left`, and its slope. */
  readonly left: number;
  readonly baseline: number;
  readonly slope: number;
  readonly isRightToLeft: boolean;
  readonly words: readonly HocrWord[];
};

/** The lines of a page in hOCR, the output format of Tesseract, in the order of reading. See the hOCR specification 1.2. */
export function hocrLines(hocr: string): HocrLine[] {
  const lines: (Omit<HocrLine, "words"> & { words: HocrWord[] })[] = [];
  let isRightToLeft = false;
  let word: { text: string; readonly title: string } | undefined;
  let depth = 0;
  const parser = new Parser({
    onopentag(_, { class: name = "", title = "", dir }) {
      if (word !== undefined) depth++;
      else if (name === "ocr_par") isRightToLeft = dir === "rtl";
      else if (name === "ocrx_word") word = { text: "", title };
      else if (LINES.has(name)) lines.push({ ...lineOf(title), isRightToLeft, words: [] });
    },
    ontext(text) {
      if (word !== undefined) word.text += text;
    },
    onclosetag() {
      if (word === undefined) return;
      if (depth-- > 0) return;
      const { text, title } = word;
      [word, depth] = [undefined, 0];
      const [left = 0, , right = 0] = numbers(title, "bbox");
      const [confidence = 0] = numbers(title, "x_wconf");
      if (text.trim() !== "") lines.at(-1)?.words.push({ text: text.trim(), left, right, confidence });
    },
  });
  parser.end(hocr);
  return lines.filter(({ words }) => words.length > 0);
}

const LINES: ReadonlySet<string> = new Set(["ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat"]);

/** Without a stated height, of the box's. */
function lineOf(title: string): Omit<HocrLine, "words" | "isRightToLeft"> {
  const [left = 0, top = 0, , bottom = 0] = numbers(title, "bbox");
  const [slope = 0, offset = 0] = numbers(title, "baseline");
  const [height = bottom - top] = numbers(title, "x_size");
  return { height, left, baseline: bottom + offset, slope };
}

/** The numbers of a property in a `title`, such as `bbox 36 92 580 122; baseline 0.01 -18`. */
function numbers(title: string, property: string): number[] {
  const values = title.split(";").find((part) => part.trim().startsWith(`${property} `));
  return values?.trim().split(/\s+/).slice(1).map(Number) ?? [];
}
