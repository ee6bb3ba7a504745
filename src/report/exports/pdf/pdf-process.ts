/** The program that `report-pdf.ts` starts with its memory limit in megabytes: it makes one PDF and ends. */
import { once } from "node:events";
import { existsSync } from "node:fs";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { pdfContent } from "./pdf-content.ts";
import { PdfRequest, type PdfResult } from "./report-pdf.ts";

/** The output of `npm run build:pages`, at the same place relative to `src` and `dist`. */
const PARTS = new URL("../../../../dist/pages/pdf/", import.meta.url);

const memoryWatch = new URL(`../../../extract/memory-watch${extname(import.meta.url)}`, import.meta.url);
const watch = new Worker(memoryWatch, { argv: process.argv.slice(2) });
watch.unref();
// On a busy machine, a PDF could be made before anything watches its memory.
const isWatched = once(watch, "message");

// Ctrl-C reaches the whole process group; the service decides when this process ends.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
process.on("disconnect", () => process.exit());
process.on("message", async (request) => process.send?.(await resultOf(request)));

async function resultOf(request: unknown): Promise<PdfResult> {
  try {
    await isWatched;
    return await pdf(PdfRequest.parse(request));
  } catch (error) {
    return {
      kind: "failed",
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

async function pdf({ report, exclusions }: PdfRequest): Promise<PdfResult> {
  if (!existsSync(PARTS))
    return { kind: "missing", part: "The layout and fonts are not built. Run: npm run build:pages" };
  const library = await import("@myriaddreamin/typst-ts-node-compiler").catch(() => undefined);
  if (library === undefined)
    return {
      kind: "missing",
      part: "The package @myriaddreamin/typst-ts-node-compiler is missing. Run: npm install --include=optional",
    };
  const folder = fileURLToPath(PARTS);
  const compiler = library.NodeCompiler.create({
    workspace: folder,
    fontArgs: [{ fontPaths: [`${folder}fonts`] }],
  });
  compiler.mapShadow(`${folder}report.json`, Buffer.from(JSON.stringify(pdfContent(report, exclusions))));
  const compiled = compiler.compile({ mainFilePath: `${folder}report.typ` });
  if (compiled.result === null) {
    const error = compiled.takeError();
    const faults = error === null ? [] : compiler.fetchDiagnostics(error);
    throw new Error(`the layout failed: ${JSON.stringify(faults)}`);
  }
  return { kind: "pdf", bytes: compiler.pdf(compiled.result) };
}
