import {
  getDocument,
  type PageViewport,
  type PDFPageProxy,
  VerbosityLevel,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import { z } from "zod";
import { detectLanguage } from "../../platform/detect-language.ts";
import { type HocrLine, hocrLines } from "../ocr/hocr.ts";
import { DRAWING_MS_MAX, type OcrSettings } from "../ocr/ocr-settings.ts";
import { installedEngine, type OcrEngine } from "../ocr/tesseract.ts";
import type { ScannedLine, ScannedPage } from "../text/scanned-page.ts";

/** The pixels of an inch: of 1,800 words in letters of 8 to 12 points, 3 were wrong at 200 and 4 at 300, which takes a quarter more time. */
const RESOLUTION = 200;

/** Larger pages are drawn smaller; an A4 page has 8.7 million pixels. */
const PIXELS_MAX = 16_000_000;

/** A larger picture is left out of its page, as by a viewer: it would fill the memory of the process. An A4 page at 600 dpi has 35 million. */
const IMAGE_PIXELS_MAX = 80_000_000;

/** Words that the engine is less sure of are specks and lines of pictures. In percent. */
const WORD_CONFIDENCE_MIN = 30;

/** The mean over the words of a page, below which its text is nonsense: another script, or no text. */
const PAGE_CONFIDENCE_MIN = 60;

/** A language for each script that differs from the Latin one; tried where the text is nonsense in the usual language. */
const OTHER_SCRIPTS = ["rus", "ukr", "ell", "ara", "heb", "hin", "chi_sim", "jpn", "kor", "tha"];

/**
 * Reads pages of a PDF by OCR, as a viewer shows them. Each page is read in the language of the page before, and again in another one if
 * its text is in that. A page that can't be read, or not in time, is missing in the result.
 * @param pages their numbers, ascending. @param text what is known of the text of the file, which tells its language
 */
export async function readScannedPages(
  source: DocumentInitParameters,
  pages: readonly number[],
  text: string,
  settings: OcrSettings,
): Promise<ScannedPage[]> {
  const engine = await installedEngine(settings.languages);
  if (engine === undefined) return [];
  const languages = settings.languages.length > 0 ? settings.languages : engine.languages;
  const reader = new PageReader(engine, languages, settings.pageMs);
  reader.expect(text);
  const loading = getDocument({
    ...source,
    maxImageSize: IMAGE_PIXELS_MAX,
    verbosity: VerbosityLevel.ERRORS,
  });
  const read: ScannedPage[] = [];
  try {
    const document = await loading.promise;
    for (const number of pages.slice(0, settings.pagesMax)) {
      const page = await document.getPage(number);
      const [viewport, picture] = await drawn(page, document.canvasFactory).catch(() => []);
      page.cleanup();
      if (viewport === undefined || picture === undefined) continue;
      const lines = await reader.read(picture).catch(() => undefined);
      if (lines !== undefined) read.push({ page: number, lines: onPage(lines, viewport) });
    }
  } finally {
    await Promise.all([engine.close(), loading.destroy()]);
  }
  return read;
}

/** Reads pictures of pages, each in the language that they turn out to be in. */
class PageReader {
  readonly #engine: OcrEngine;
  readonly #languages: readonly string[];
  readonly #pageMs: number;
  #language: string;

  constructor(engine: OcrEngine, languages: readonly string[], pageMs: number) {
    this.#engine = engine;
    this.#languages = languages;
    this.#pageMs = pageMs;
    this.#language = languages.find((name) => name === USUAL) ?? languages[0] ?? USUAL;
  }

  /** Takes the language of a text for the next page. */
  expect(text: string): void {
    this.#language = this.#languageOf(text) ?? this.#language;
  }

  /** The lines of a page; undefined if what is found is no text. @throws an error of the engine. */
  async read(picture: Uint8Array): Promise<readonly HocrLine[] | undefined> {
    const until = performance.now() + this.#pageMs;
    const first = await this.#readIn(this.#language, picture, until);
    if (first.lines.length === 0) return [];
    const other = this.#languageOf(textOf(first.lines)) ?? this.#language;
    const others = isText(first)
      ? [other].filter((name) => name !== this.#language)
      : OTHER_SCRIPTS.filter((name) => this.#languages.includes(name) && name !== this.#language);
    let best = { language: this.#language, ...first };
    for (const language of others) {
      const again = await this.#readIn(language, picture, until).catch(() => undefined);
      if (again !== undefined && again.confidence > best.confidence) best = { language, ...again };
    }
    if (!isText(best)) return undefined;
    this.#language = best.language;
    return best.lines;
  }

  async #readIn(language: string, picture: Uint8Array, until: number) {
    const all = hocrLines(
      await this.#engine.recognise(picture, language, Math.max(1, Math.round(until - performance.now()))),
    );
    const lines = all.flatMap((line) => {
      const words = line.words.filter(({ confidence }) => confidence >= WORD_CONFIDENCE_MIN);
      return words.length === 0 ? [] : [{ ...line, words }];
    });
    const words = all.flatMap((line) => line.words);
    const total = words.reduce((sum, { confidence }) => sum + confidence, 0);
    return { lines, confidence: words.length === 0 ? 0 : total / words.length };
  }

  /** The language of a text among those that can be read; undefined if the text does not tell. */
  #languageOf(text: string): string | undefined {
    const detected = text.length < DETECTED_MIN ? undefined : detectLanguage(text.slice(0, DETECTED_MAX));
    return this.#languages.find((name) => shortCode(name) === detected);
  }
}

const USUAL = "eng";

/** Shorter texts do not tell their language, and longer ones not more. In UTF-16 units. */
const DETECTED_MIN = 100;
const DETECTED_MAX = 2_000;

function isText({ confidence }: { readonly confidence: number }): boolean {
  return confidence >= PAGE_CONFIDENCE_MIN;
}

function textOf(lines: readonly HocrLine[]): string {
  return lines.flatMap(({ words }) => words.map(({ text }) => text)).join(" ");
}

/** `de` for `deu`, `zh` for `chi_sim`. */
function shortCode(language: string): string | undefined {
  if (language.startsWith("chi_")) return "zh";
  try {
    return new Intl.Locale(language.replace(/_.*$/, "")).language;
  } catch {
    return undefined;
  }
}

type DocumentInitParameters = Exclude<
  Parameters<typeof getDocument>[0],
  string | URL | ArrayBuffer | undefined
>;

/** What pdf.js draws on; in Node.js, a canvas of `@napi-rs/canvas`. */
type Canvas = RenderParameters["canvas"] & { toBuffer(type: "image/png"): Uint8Array };
type RenderParameters = Parameters<PDFPageProxy["render"]>[0];
const CanvasFactory = z.custom<{
  create(width: number, height: number): { readonly canvas: Canvas };
  destroy(created: { readonly canvas: Canvas }): void;
}>((value) => typeof value === "object");

/** A page as a picture (PNG), and how its places are found in the space of the page. */
async function drawn(page: PDFPageProxy, factory: unknown): Promise<readonly [PageViewport, Uint8Array]> {
  const { width, height } = page.getViewport({ scale: 1 });
  const scale = Math.min(RESOLUTION / POINTS_OF_INCH, Math.sqrt(PIXELS_MAX / (width * height)));
  const viewport = page.getViewport({ scale });
  const canvases = CanvasFactory.parse(factory);
  const created = canvases.create(Math.ceil(viewport.width), Math.ceil(viewport.height));
  try {
    const task = page.render({ canvas: created.canvas, viewport });
    const timer = setTimeout(() => task.cancel(), DRAWING_MS_MAX);
    await task.promise.finally(() => clearTimeout(timer));
    return [viewport, created.canvas.toBuffer("image/png")];
  } finally {
    canvases.destroy(created);
  }
}

const POINTS_OF_INCH = 72;

/** Lines whose height differs by less than this share have letters of one size: OCR measures it a little differently in each. */
const SAME_HEIGHT = 0.2;

/** The lines in the space of their page. Lengths are rounded to tenths of a point, as they are kept. */
function onPage(lines: readonly HocrLine[], viewport: PageViewport): ScannedLine[] {
  const heights = lines.map(({ height }) => height).toSorted((a, b) => a - b);
  const usual = heights[heights.length >> 1] ?? 0;
  return lines.map(({ words, height, left, baseline, slope, isRightToLeft }) => {
    const place = (x: number): readonly [x: number, y: number] => {
      const [across, up] = viewport.convertToPdfPoint(x, baseline + slope * (x - left));
      return [Number(across), Number(up)];
    };
    const [from, to] = [place(left), place(left + 1_000)];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const isUsual = Math.abs(height - usual) < SAME_HEIGHT * usual;
    return {
      direction: {
        x: rounded((to[0] - from[0]) / length, 1_000),
        y: rounded((to[1] - from[1]) / length, 1_000),
      },
      height: rounded(((isUsual ? usual : height) * length) / 1_000),
      ...(isRightToLeft && { is_right_to_left: true }),
      words: words.map(({ text, left: start, right }) => {
        const [x, y] = place(start);
        return { text, x: rounded(x), y: rounded(y), width: rounded(((right - start) * length) / 1_000) };
      }),
    };
  });
}

function rounded(value: number, steps = 10): number {
  return Math.round(value * steps) / steps;
}
