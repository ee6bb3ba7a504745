import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../../platform/error-code.ts";

/** A program that reads the text of pictures. */
export type OcrEngine = {
  readonly name: "tesseract" | "tesseract.js";
  /** The languages that it has data of, by their names in Tesseract, such as `eng`. */
  readonly languages: readonly string[];
  /**
   * Reads a picture (PNG) in one language.
   * @returns hOCR. @throws Error when it fails or takes longer than `timeMs`
   */
  recognise(picture: Uint8Array, language: string, timeMs: number): Promise<string>;
  /** Ends what it has started. */
  close(): Promise<void>;
};

/**
 * The installed engine: the system's `tesseract`, which is faster, or else `tesseract.js`.
 * @param languages all of which it must have; undefined without such an engine
 */
export async function installedEngine(languages: readonly string[]): Promise<OcrEngine | undefined> {
  for (const open of [systemTesseract, packagedTesseract]) {
    const engine = await open();
    if (engine !== undefined && languages.every((name) => engine.languages.includes(name))) return engine;
  }
  return undefined;
}

/** Larger pages of words are not known: 500 words take 60 KB. */
const OUTPUT_BYTES_MAX = 32 * 1024 * 1024;

/** Data that holds no language: of the direction of a page, and of formulas. */
const NO_LANGUAGES: ReadonlySet<string> = new Set(["osd", "equ", "snum"]);

/** The program `tesseract` on the PATH; undefined if it is missing or has no languages. */
export async function systemTesseract(): Promise<OcrEngine | undefined> {
  const listed = await run(["--list-langs"], new Uint8Array(), LIST_MS).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  });
  const languages = listed
    .split("\n")
    .slice(1)
    .map((line) => line.trim())
    .filter((name) => /^[\w/]+$/.test(name) && !NO_LANGUAGES.has(name));
  if (languages.length === 0) return undefined;
  return {
    name: "tesseract",
    languages,
    recognise: (picture, language, timeMs) =>
      run(["stdin", "stdout", "-l", language, "-c", "tessedit_create_hocr=1"], picture, timeMs),
    close: async () => undefined,
  };
}

const LIST_MS = 10_000;

function run(args: readonly string[], input: Uint8Array, timeMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      timeout: timeMs,
      killSignal: "SIGKILL",
      maxBuffer: OUTPUT_BYTES_MAX,
      // One thread is nearly as fast as several, which would slow down everything beside it.
      env: { ...process.env, OMP_THREAD_LIMIT: "1" },
    } as const;
    const child = execFile("tesseract", [...args], options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(error);
    });
    // It may end before it has read all; its exit tells why.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

/** The package `tesseract.js` with the installed packages of language data; undefined if one is missing. Nothing is fetched. */
export async function packagedTesseract(): Promise<OcrEngine | undefined> {
  const folder = dataFolder();
  const languages = folder === undefined ? [] : await readdir(folder).catch(() => []);
  if (folder === undefined || languages.length === 0) return undefined;
  const { createWorker, OEM } = (await import("tesseract.js")).default;
  let started: { readonly language: string; readonly worker: Promise<Tesseract.Worker> } | undefined;

  async function close(): Promise<void> {
    const worker = started?.worker;
    started = undefined;
    await (await worker?.catch(() => undefined))?.terminate();
  }

  async function workerOf(language: string): Promise<Tesseract.Worker> {
    if (started?.language !== language) {
      await close();
      const { promise: failed, reject } = Promise.withResolvers<never>();
      failed.catch(() => undefined);
      const worker = createWorker(language, OEM.LSTM_ONLY, {
        langPath: join(folder ?? "", language, DATA_VERSION),
        cacheMethod: "none",
        // It does not reject if it can't read the data, and throws out of reach without a handler.
        errorHandler: (reason: unknown) => reject(new Error(String(reason))),
      });
      started = { language, worker: Promise.race([worker, failed]) };
    }
    return started.worker;
  }

  return {
    name: "tesseract.js",
    languages: languages.filter((name) => !NO_LANGUAGES.has(name)),
    async recognise(picture, language, timeMs) {
      const ended = new AbortController();
      const late = sleep(timeMs, undefined, { signal: ended.signal }).then(() => {
        throw new Error(`OCR took longer than ${timeMs / 1000} s`);
      });
      const read = async () => {
        const worker = await workerOf(language);
        const { data } = await worker.recognize(Buffer.from(picture), {}, { text: false, hocr: true });
        return data.hocr ?? "";
      };
      try {
        return await Promise.race([read(), late]);
      } catch (error) {
        await close();
        throw error;
      } finally {
        ended.abort();
        late.catch(() => undefined);
      }
    },
    close,
  };
}

/** The smaller data for the LSTM engine, which tesseract.js takes by default too. */
const DATA_VERSION = "4.0.0_best_int";

/** Where the packages of language data lie, beside tesseract.js; undefined if that is not installed. */
function dataFolder(): string | undefined {
  try {
    const program = dirname(createRequire(import.meta.url).resolve("tesseract.js/package.json"));
    return join(dirname(program), "@tesseract.js-data");
  } catch {
    return undefined;
  }
}
