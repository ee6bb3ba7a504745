import { NodeCompiler } from "@myriaddreamin/typst-ts-node-compiler";

const compiler = NodeCompiler.create();

/** Sets a text in Typst's markup as PDF. Words are not divided: pdf.js leaves out the soft hyphens that Typst writes at line ends. */
export function typesetPdf(markup: string): Uint8Array {
  const compiled = compiler.compile({ mainFileContent: `#set text(hyphenate: false)\n${markup}` });
  if (compiled.result !== null) return compiler.pdf(compiled.result);
  const error = compiled.takeError();
  throw new Error(JSON.stringify(error === null ? [] : compiler.fetchDiagnostics(error)));
}
