import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { readCommand, UsageError } from "../src/platform/terminal/command.ts";
import { textTable } from "../src/platform/terminal/terminal-text.ts";

const USAGE = `Usage: npm run code-size -- [FOLDER]

Counts the TypeScript files of a checkout's src folder: files, lines, median, files under 30 lines, and files that only one
other file imports, for all of src, for each area, and for the check pipeline: the files that checks/run-check.ts reaches by
its imports, with and without imports of types. Generated files are counted apart. Also counts the lines of README.md.
FOLDER is another checkout.`;

/** Files that programs write, by their paths in `src`. */
const GENERATED = /\/generated\//;

/** The file that runs a check. */
const CHECK_PIPELINE = "checks/run-check.ts";

/** A file that is smaller needs a reason to be one. */
const SMALL_FILE_LINES = 30;

type SourceFile = {
  /** From `src`, with `/`. */
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly { readonly to: string; readonly isType: boolean }[];
};

const root = await readCommand(USAGE, readRoot);
if (root !== undefined) process.stdout.write(`${textTable(measure(root)).join("\n")}\n`);

function readRoot(args: string[]): string {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  const folder = resolve(process.env.INIT_CWD ?? process.cwd(), positionals[0] ?? ".");
  if (!existsSync(join(folder, "src"))) throw new UsageError(`${folder} has no folder src.`);
  return folder;
}

function measure(folder: string): string[][] {
  const allFiles = sourceFiles(join(folder, "src"));
  const generated = allFiles.filter(({ path }) => GENERATED.test(path));
  const files = allFiles.filter((file) => !generated.includes(file));
  const importers = Map.groupBy(
    allFiles.flatMap(({ path, imports }) => imports.map(({ to }) => ({ path, to }))),
    ({ to }) => to,
  );
  const isImportedOnce = ({ path }: SourceFile) =>
    new Set(importers.get(path)?.map((one) => one.path)).size === 1;
  const row = (name: string, some: readonly SourceFile[]) => {
    const lines = some.map((file) => file.lines).toSorted((a, b) => a - b);
    return [
      name,
      some.length,
      lines.reduce((sum, one) => sum + one, 0),
      lines[lines.length >> 1] ?? 0,
      lines.filter((one) => one < SMALL_FILE_LINES).length,
      some.filter(isImportedOnce).length,
    ].map(String);
  };
  const below = (...areas: readonly string[]) =>
    files.filter(({ path }) => areas.some((area) => path.startsWith(`${area}/`)));
  const areas = [...new Set(files.map(({ path }) => path.split("/")[0] ?? ""))].filter(
    (area) => below(area).length > 0,
  );
  const readme = readFileSync(join(folder, "README.md"), "utf8").split("\n").length - 1;
  return [
    ["", "files", "lines", "median", `under ${SMALL_FILE_LINES}`, "one importer"],
    row("src", files),
    row("check pipeline", reachable(files, CHECK_PIPELINE, true)),
    row("  at run time", reachable(files, CHECK_PIPELINE, false)),
    row("matching by words", below("matching/words", "core/alignment", "core/retrieval")),
    ...areas.toSorted().map((area) => row(area, below(area))),
    row("generated", generated),
    ["README.md", "", String(readme)],
  ];
}

/** A file and all that it imports, directly or through others. */
function reachable(files: readonly SourceFile[], start: string, withTypes: boolean): SourceFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const paths = new Set([start]);
  for (const path of paths) {
    for (const { to, isType } of byPath.get(path)?.imports ?? []) if (withTypes || !isType) paths.add(to);
  }
  return files.filter(({ path }) => paths.has(path));
}

function sourceFiles(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      const found = text.matchAll(/(?:^(?:import|export) (type )?[^;"]*?from |import\()"(\.[^"]+)"/gm);
      return {
        path: name.split(sep).join("/"),
        lines: text.split("\n").length - 1,
        imports: [...found].map(([, type, specifier = ""]) => ({
          to: relative(folder, join(folder, dirname(name), specifier))
            .split(sep)
            .join("/"),
          isType: type !== undefined,
        })),
      };
    });
}
