import type { Config } from "../../platform/config.ts";
import { ConfigError } from "../../platform/domain-error.ts";
import { installedEngine } from "./tesseract.ts";

export type OcrSettings = {
  /** The languages of the texts, by their names in Tesseract, the usual one first; empty for all installed ones. */
  readonly languages: readonly string[];
  /** Further pages of a file are not read. */
  readonly pagesMax: number;
  /** The longest that recognising a page may take. */
  readonly pageMs: number;
};

/** The longest that drawing a page may take, beside recognising it; a usual one takes half a second. */
export const DRAWING_MS_MAX = 10_000;

type OcrOptions = Partial<Pick<Config, "ocr" | "ocrLanguages" | "ocrPagesMax" | "ocrPageMs">>;

/** How scanned pages are read; undefined if they are not. @throws ConfigError when no installed engine has the languages */
export async function ocrSettings(options: OcrOptions): Promise<OcrSettings | undefined> {
  const { ocr = false, ocrLanguages: languages = [], ocrPagesMax = 50, ocrPageMs = 30_000 } = options;
  if (!ocr) return undefined;
  const engine = await installedEngine(languages);
  if (engine === undefined) throw new ConfigError(noEngine(languages));
  await engine.close();
  return { languages, pagesMax: ocrPagesMax, pageMs: ocrPageMs };
}

function noEngine(languages: readonly string[]): string {
  const wanted = languages.length === 0 ? "" : ` with the languages ${languages.join(", ")}`;
  return (
    `OCR: no Tesseract${wanted} is installed. Install the system's tesseract with its language data, or the packages ` +
    "tesseract.js and @tesseract.js-data/LANGUAGE (docs/configuration.md)."
  );
}
