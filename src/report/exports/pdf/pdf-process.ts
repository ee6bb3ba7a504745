/** The program of the process that makes PDFs. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { answerRequests } from "../../../platform/child-pool/child-program.ts";
import { comparisonContent } from "./comparison-content.ts";
import { pdfContent } from "./pdf-content.ts";
import { PdfRequest, type PdfResult } from "./report-pdf.ts";

/** The output of `npm run build:pages`, at the same place relative to `src` and `dist`. */
const PARTS = new URL("../../../../dist/pages/pdf/", import.meta.url);

await answerRequests(async () => (request) => pdf(PdfRequest.parse(request)), Number(process.argv[2]));

async function pdf(request: PdfRequest): Promise<PdfResult> {
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
  const content = request.kind === "report" ? pdfContent(request) : comparisonContent(request);
  compiler.mapShadow(`${folder}content.json`, Buffer.from(JSON.stringify(content)));
  const compiled = compiler.compile({ mainFilePath: `${folder}${request.kind}.typ` });
  if (compiled.result === null) {
    const error = compiled.takeError();
    const faults = error === null ? [] : compiler.fetchDiagnostics(error);
    throw new Error(`the layout failed: ${JSON.stringify(faults)}`);
  }
  return { kind: "pdf", bytes: compiler.pdf(compiled.result) };
}
