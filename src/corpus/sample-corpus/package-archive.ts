import { spawn } from "node:child_process";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { decodeEntities } from "./article-text.ts";
import type { WikiPage } from "./select-articles.ts";

/** The source package with the first 100 MB of the English Wikipedia of March 2006 (the file enwik8). */
export const SAMPLE_PACKAGE = {
  name: "mingru-pytorch",
  version: "0.2.1",
  form: "source",
  sha256: "fc9b278b4e04db930a5cd4cdab36e2713b1d6e14084269b161d4f133819e758d",
} as const;
const MEMBER = "mingru_pytorch-0.2.1/data/enwik8.gz";

/** Streams the text of the data file in the package, with the system's `tar`. @throws Error with the reason. */
export async function* archiveText(archive: string, signal: AbortSignal): AsyncGenerator<string> {
  const tar = spawn("tar", ["-xzOf", archive, MEMBER], { stdio: ["ignore", "pipe", "pipe"], signal });
  let complaint = "";
  tar.stderr.setEncoding("utf8").on("data", (piece: string) => {
    complaint += piece;
  });
  const failure = new Promise<string | null>((resolve) => {
    tar.once("error", (error) => resolve(`the system's tar could not be run (${error.message})`));
    tar.once("close", (code) =>
      resolve(code === 0 ? null : `tar could not read ${MEMBER}: ${complaint.trim()}`),
    );
  });
  const text = createGunzip().setEncoding("utf8");
  pipeline(tar.stdout, text, () => undefined);
  try {
    yield* text;
  } catch (error) {
    throw new Error((await failure) ?? "the data file in the package is damaged", { cause: error });
  }
  const reason = await failure;
  if (reason !== null) throw new Error(reason);
}

const PAGE_END = "</page>";

/** Reads the pages of a MediaWiki XML export as they arrive: memory holds one page. A last page that is cut off is skipped. */
export async function* mediaWikiPages(pieces: AsyncIterable<string>): AsyncGenerator<WikiPage> {
  let rest = "";
  for await (const piece of pieces) {
    const searchFrom = Math.max(0, rest.length - PAGE_END.length);
    rest += piece;
    let start = 0;
    let end = rest.indexOf(PAGE_END, searchFrom);
    for (; end !== -1; end = rest.indexOf(PAGE_END, start)) {
      const page = readPage(rest.slice(start, end));
      if (page !== null) yield page;
      start = end + PAGE_END.length;
    }
    rest = rest.slice(start);
  }
}

function readPage(xml: string): WikiPage | null {
  const title = /<title>([^<]*)<\/title>/.exec(xml)?.[1];
  const revision = /<revision>\s*<id>(\d+)<\/id>/.exec(xml)?.[1];
  if (title === undefined || revision === undefined) return null;
  const text = /<text\b[^>]*>([^<]*)<\/text>/.exec(xml)?.[1] ?? "";
  return { title: decodeEntities(title), revision: Number(revision), wikitext: decodeEntities(text) };
}
