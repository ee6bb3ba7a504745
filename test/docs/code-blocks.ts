import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A fenced block of code in a document. */
export type CodeBlock = {
  /** `README.md`, `docs/api.md`. */
  readonly file: string;
  /** The nearest heading above it. */
  readonly heading: string;
  readonly language: string;
  readonly text: string;
};

/** README.md and every page below `docs`, as paths from the root. */
export function documentFiles(): string[] {
  const pages = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" });
  return ["README.md", ...pages.filter((page) => page.endsWith(".md")).map((page) => `docs/${page}`)];
}

export function readDocument(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

/** All blocks of code in the documents that name a language, in the order in which they stand there. */
export function codeBlocks(): CodeBlock[] {
  return documentFiles().flatMap((file) => {
    const blocks: CodeBlock[] = [];
    let heading = "";
    for (const [, title, language, text] of readDocument(file).matchAll(
      /^#+ ([^\n]+)$|^```([a-z]+)\n(.*?)^```$/gms,
    )) {
      if (title !== undefined) heading = title;
      else blocks.push({ file, heading, language: language ?? "", text: text ?? "" });
    }
    return blocks;
  });
}

/** `docs/api.md > Python > python`: names a block in messages and in the list of how each one is tested. */
export function nameOf({ file, heading, language }: CodeBlock): string {
  return `${file} > ${heading} > ${language}`;
}
