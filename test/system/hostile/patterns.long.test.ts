import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { type Options, tokenizer } from "acorn";
import { expect } from "chai";
import { check } from "recheck";

const SOURCES = join(import.meta.dirname, "..", "..", "..", "src");

/**
 * Where a pattern meets what a client sent in the service itself. Files are read in processes with a limit of time, and
 * the sources of the statistics and of the sample corpus by commands.
 */
const FOLDERS = [
  "batches",
  "checks",
  "corpus/api",
  "corpus/documents",
  "http",
  "matching",
  "report",
  "statistics/api",
  "text",
  "web",
];

/** Files whose patterns backtrack and may: they never meet a long text. */
const BOUNDED: Readonly<Record<string, string>> = {
  "http/docs/docs.ts": "a page of ours",
  "http/download.ts": "50 characters of a title",
  "http/security/client-address.ts": "a header, which has no line end for the pattern to fail at",
  "matching/encoder/embedding-server.ts": "an address from the configuration",
  "matching/meaning/whole-sentences.ts": "the last 24 characters of a sentence",
  "report/figures/citations.ts":
    "at most 240 characters of a bracket and 80 before it; other patterns there are linear",
  "text/bibliography-headings.ts": "lines of at most 100 characters",
  "text/display-title.ts": "120 characters of a title",
};

const JAVASCRIPT: Options = { ecmaVersion: "latest", sourceType: "module" };

describe("regular expressions that a client's text meets", function () {
  this.timeout(1_200_000);

  it("take linear time, as recheck finds", async () => {
    const patterns = FOLDERS.flatMap(patternsBelow);
    expect(patterns).to.have.length.above(80);
    const slow: string[] = [];
    for (const { file, pattern, flags } of patterns) {
      if (file in BOUNDED) continue;
      // The analysis knows the u flag; what v adds are sets of characters, which play no part in backtracking.
      const found = await check(pattern, flags.replace("v", "u"), { timeout: 10_000 });
      if (found.status === "vulnerable") {
        slow.push(`${file}: /${pattern}/${flags} takes ${found.complexity.summary} time`);
      }
    }
    expect(slow).to.deep.equal([]);
  });
});

type Pattern = { readonly file: string; readonly pattern: string; readonly flags: string };

function patternsBelow(folder: string): Pattern[] {
  return readdirSync(join(SOURCES, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => patternsIn(`${folder}/${name}`));
}

/** The regular expressions that are written out in a file. */
function patternsIn(file: string): Pattern[] {
  const program = stripTypeScriptTypes(readFileSync(join(SOURCES, file), "utf8"));
  return [...tokenizer(program, JAVASCRIPT)].flatMap(({ type, start, end }) => {
    if (type.label !== "regexp") return [];
    const written = program.slice(start, end);
    const last = written.lastIndexOf("/");
    return [{ file, pattern: written.slice(1, last), flags: written.slice(last + 1) }];
  });
}
