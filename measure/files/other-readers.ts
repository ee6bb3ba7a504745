import { execFileSync } from "node:child_process";
import { z } from "zod";

/** The text of a PDF by `pdftotext` of poppler-utils, with a form feed behind each page. Undefined when it refuses the file. */
export function pdftotext(file: string): string | undefined {
  return run("pdftotext", [file, "-"]);
}

/** The text of a Word document by pandoc: its notes stand at their marks. Undefined when it refuses the file. */
export function pandocText(file: string): string | undefined {
  const document = run("pandoc", ["--from", "docx", "--to", "json", file]);
  return document === undefined ? undefined : textOf(JSON.parse(document));
}

/** pandoc's elements whose text is divided from the text around it. */
const BLOCKS = new Set(["Plain", "Para", "Header", "CodeBlock", "LineBlock", "Note", "LineBreak", "Table"]);

const Element = z.object({ t: z.string(), c: z.unknown().optional() });

/** The words of pandoc's document: a tree of `{ t: type, c: content }`, where the content of some types starts with attributes. */
function textOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(textOf).join("");
  const { success, data } = Element.safeParse(node);
  if (!success)
    return typeof node === "object" && node !== null && "blocks" in node ? textOf(node.blocks) : "";
  const content: unknown[] = Array.isArray(data.c) ? data.c : [];
  const text = typeof data.c === "string" ? data.c : textOfKind(data.t, content);
  return BLOCKS.has(data.t) ? `\n${text}\n` : text;
}

function textOfKind(kind: string, content: readonly unknown[]): string {
  switch (kind) {
    case "Space":
    case "SoftBreak":
      return " ";
    case "Code":
    case "CodeBlock":
    case "Math":
      return String(content[1]);
    default:
      return textOf(content);
  }
}

function run(program: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync(program, args, { encoding: "utf8", maxBuffer: 1e9, stdio: "pipe", timeout: 60_000 });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") throw error;
    return undefined;
  }
}
