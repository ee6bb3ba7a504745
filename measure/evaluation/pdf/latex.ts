import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { DomainError } from "../../../src/platform/domain-error.ts";
import type { Manuscript, Paragraph } from "./manuscripts.ts";

/** How LaTeX sets a manuscript. */
export type LatexLayout = {
  /** The arguments of `\documentclass`. */
  readonly documentClass: string;
  readonly preamble?: string;
  /** The text between `\begin{document}` and the first section. */
  readonly opening: (title: string, abstract: string) => string;
  readonly heading: "section" | "chapter";
  /** Begins and ends the text. */
  readonly around?: readonly [string, string];
  /** The LaTeX before the paragraph of this number: figures, tables, notes in the margin. */
  readonly beside?: (number: number) => string;
  /** Sets the first letters of the first paragraph. */
  readonly dropCap?: (first: string, rest: string) => string;
};

/**
 * Sets a manuscript as PDF, unless the folder has it already.
 * @returns the file.
 * @throws DomainError `invalid_input` when LaTeX or one of its packages is missing.
 */
export async function makeLatexPdf(
  folder: string,
  name: string,
  layout: LatexLayout,
  manuscript: Manuscript,
): Promise<string> {
  const [source, pdf] = [join(folder, `${name}.tex`), join(folder, `${name}.pdf`)];
  const text = latexOf(layout, manuscript);
  if (existsSync(pdf) && existsSync(source) && (await readFile(source, "utf8")) === text) return pdf;
  await mkdir(folder, { recursive: true });
  await rm(pdf, { force: true });
  await writeFile(source, text);
  // Contents and references to pages are right after the second run.
  for (const _ of [1, 2]) await runLatex(folder, name);
  return pdf;
}

async function runLatex(folder: string, name: string): Promise<void> {
  try {
    await promisify(execFile)("pdflatex", ["-interaction=nonstopmode", "-halt-on-error", `${name}.tex`], {
      cwd: folder,
      env: { ...process.env, SOURCE_DATE_EPOCH: "0", FORCE_SOURCE_DATE: "1" },
    });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      throw new DomainError("invalid_input", `pdflatex is not installed. ${LATEX_PACKAGES}`);
    }
    const log = existsSync(join(folder, `${name}.log`))
      ? await readFile(join(folder, `${name}.log`), "latin1")
      : String(error);
    const reason = /^! .*$/m.exec(log)?.[0] ?? "see the log";
    throw new DomainError("invalid_input", `pdflatex can't set ${name}.tex: ${reason}. ${LATEX_PACKAGES}`);
  }
}

const LATEX_PACKAGES =
  "Debian's packages texlive-latex-extra, texlive-publishers, texlive-fonts-recommended, texlive-lang-german and lmodern have what it needs.";

function latexOf(layout: LatexLayout, { title, abstract, sections }: Manuscript): string {
  const { documentClass, preamble = "", opening, heading, around = ["", ""], beside, dropCap } = layout;
  let number = 0;
  const body = sections.flatMap((section) => [
    `\\${heading}{${escaped(section.heading)}}`,
    ...section.paragraphs.map((paragraph) => {
      const set = latexParagraph(paragraph);
      const [, first = "", rest = ""] = /^(\w)(.*)$/s.exec(set) ?? [];
      const shown = number === 0 && dropCap !== undefined ? dropCap(first, rest) : set;
      return `${beside?.(number++) ?? ""}\n${shown}\n`;
    }),
  ]);
  return [
    `\\documentclass${documentClass}`,
    "\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}",
    preamble,
    "\\begin{document}",
    opening(escaped(title), escaped(abstract)),
    around[0],
    ...body,
    around[1],
    "\\end{document}\n",
  ].join("\n");
}

function latexParagraph({ text, footnote }: Paragraph): string {
  if (footnote === undefined) return escaped(text);
  const words = text.split(" ");
  const middle = words.length >> 1;
  const [before, after] = [words.slice(0, middle).join(" "), words.slice(middle).join(" ")];
  return `${escaped(before)}\\footnote{${escaped(footnote)}} ${escaped(after)}`;
}

function escaped(text: string): string {
  return text
    .replace(/[&%$#_{}]/g, (sign) => `\\${sign}`)
    .replace(/\\(?![&%$#_{}])/g, "\\textbackslash{}")
    .replaceAll("~", "\\textasciitilde{}")
    .replaceAll("^", "\\textasciicircum{}")
    .replaceAll("<", "\\textless{}")
    .replaceAll(">", "\\textgreater{}")
    .replaceAll('"', "''");
}

export const figure = (number: number, wide = false) =>
  `\\begin{figure${wide ? "*" : ""}}[tb]\\centering\\rule{.8\\linewidth}{60pt}\\caption{The share of households in district ${number} that own what they use, by year and by the age of its members.}\\end{figure${wide ? "*" : ""}}`;

export const table = (number: number) =>
  `\\begin{table}[tb]\\centering\\caption{Households of the ${number}th survey.}\\begin{tabular}{lrrr}\\hline district & owned & lent & hired\\\\\\hline ${Array.from({ length: 6 }, (_, row) => `North ${row} & ${row * 17 + number} & ${row * 5 + 3} & ${row + number}\\\\`).join(" ")}\\hline\\end{tabular}\\end{table}`;

export const marginNote = (number: number) =>
  `\\marginpar{\\footnotesize Compare the remark ${number} in the second part}`;
