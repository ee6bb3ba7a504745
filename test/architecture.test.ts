import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";

const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));
const FEATURES = ["batches", "checks", "corpus", "report", "statistics"];
const MODULES = ["client", "extract", "http", "matching", "platform", "service", "text", "web", ...FEATURES];

/** Folders of rules and algorithms, each with the folders that it may import besides itself. */
const PURE: Readonly<Record<string, readonly string[]>> = {
  text: [],
  "matching/words": ["text"],
  "matching/meaning": ["text", "matching/words"],
  "report/figures": ["text", "matching/words", "matching/meaning"],
};

/** The text libraries that pure folders may use. */
const TEXT_LIBRARIES = /^package:@orama\/stemmers\//;

/** What the report page shares with the export of reports. A browser can't load `report/index.ts`, which serves requests. */
const PAGE_FILES = ["report/reworded-parts.ts", "report/source-colours.ts", "report/wording.ts"];

type Import = { readonly from: string; readonly to: string; readonly typeOnly: boolean };

describe("the structure of the sources", () => {
  let imports: Import[];

  before(() => {
    const files = readdirSync(SOURCES, { recursive: true }).map(String);
    imports = files
      .filter((file) => /\.(ts|tsx|mts|mjs|js)$/.test(file))
      .flatMap((file) => importsOf(file, readFileSync(join(SOURCES, file), "utf8")));
  });

  /** The imports of a module that `isAllowed` does not name, from a module that has some. */
  function violations(module: string, isAllowed: (to: string) => boolean): Import[] {
    const own = imports.filter(({ from }) => moduleOf(from) === module);
    expect(own.length, module).to.be.above(0);
    return own.filter(({ to }) => !isAllowed(to));
  }

  const within =
    (...modules: readonly string[]) =>
    (to: string) =>
      !isOurs(to) || modules.includes(moduleOf(to));

  const isPure = (to: string) =>
    [...Object.keys(PURE), "client"].some((folder) => isBelow(to, folder)) || PAGE_FILES.includes(to);

  const isIndexOfFeature = (to: string) => FEATURES.some((feature) => to === `${feature}/index.ts`);

  it("has no module but those that these rules know", () => {
    const modules = new Set(imports.flatMap(({ from, to }) => [from, to].filter(isOurs)).map(moduleOf));
    expect([...modules].toSorted()).to.deep.equal([...MODULES, "index.ts"].toSorted());
  });

  for (const [folder, others] of Object.entries(PURE)) {
    it(`lets ${folder} import only text libraries${["", ...others].join(", ")}, no module of Node.js`, () => {
      const own = imports.filter(({ from }) => isBelow(from, folder));
      expect(own.length, folder).to.be.above(0);
      const isAllowed = (to: string) =>
        TEXT_LIBRARIES.test(to) || [folder, ...others].some((one) => isBelow(to, one));
      expect(own.filter(({ to }) => !isAllowed(to))).to.deep.equal([]);
    });
  }

  it("lets platform import only text and platform", () => {
    expect(violations("platform", within("text", "platform"))).to.deep.equal([]);
  });

  it("lets extract and http import only text, platform and themselves", () => {
    for (const module of ["extract", "http"])
      expect(violations(module, within("text", "platform", module))).to.deep.equal([]);
  });

  it("lets matching import only text, platform, matching and the figures of a report", () => {
    const isAllowed = within("text", "platform", "matching");
    expect(violations("matching", (to) => isAllowed(to) || isBelow(to, "report/figures"))).to.deep.equal([]);
  });

  for (const feature of FEATURES) {
    const shared = within("text", "extract", "matching", "platform", "http", feature);
    it(`lets ${feature} import, of another feature, only its index.ts and the figures of a report`, () => {
      const isAllowed = (to: string) => shared(to) || isIndexOfFeature(to) || isBelow(to, "report/figures");
      expect(violations(feature, isAllowed)).to.deep.equal([]);
    });
  }

  it("lets web import text, http, platform and client, and of a feature its index.ts and pure files", () => {
    const shared = within("text", "http", "platform", "client", "web");
    const isAllowed = (to: string) =>
      shared(to) ||
      isIndexOfFeature(to) ||
      PAGE_FILES.includes(to) ||
      ["report/figures", "extract/pdf"].some((folder) => isBelow(to, folder));
    expect(violations("web", isAllowed)).to.deep.equal([]);
    const impure = imports.filter(
      ({ from, to, typeOnly }) => PAGE_FILES.includes(from) && !typeOnly && !isPure(to),
    );
    expect(impure).to.deep.equal([]);
  });

  it("lets the client import only itself, so that it runs in browsers", () => {
    const own = imports.filter(({ from }) => isBelow(from, "client") && !isBelow(from, "client/command"));
    const isAllowed = (to: string) => isBelow(to, "client") && !isBelow(to, "client/command");
    expect(own.filter(({ to }) => !isAllowed(to))).to.deep.equal([]);
  });

  it("lets the terminal command know a service by its API alone: it imports only the client and platform", () => {
    const own = imports.filter(({ from }) => isBelow(from, "client/command"));
    expect(own.length).to.be.above(0);
    expect(own.filter(({ to }) => !within("client", "platform")(to))).to.deep.equal([]);
  });

  it("lets only service itself and src/index.ts import service", () => {
    const upward = imports.filter(({ to }) => moduleOf(to) === "service");
    expect(upward.length).to.be.above(10);
    expect(upward.filter(({ from }) => !["service", "index.ts"].includes(moduleOf(from)))).to.deep.equal([]);
  });

  it("has no cycle of imports, dynamic ones included", () => {
    const targets = new Map<string, string[]>();
    for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
    const state = new Map<string, "open" | "done">();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (state.get(file) === "open") cycles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
      if (state.has(file)) return;
      state.set(file, "open");
      for (const next of targets.get(file) ?? []) visit(next, [...path, file]);
      state.set(file, "done");
    };
    for (const file of targets.keys()) visit(file, []);
    expect(cycles).to.deep.equal([]);
  });

  it("sees every way to import: static, for types, for effects, dynamic, and a worker's file", () => {
    const source = [
      'import type { A } from "./a.ts";',
      'export {\n  b,\n} from "../b.ts";',
      'import "./c.css";',
      'const { d } = await import("./d.tsx");',
      'type E = import("pg").Client;',
      'new Worker(new URL("./f.ts", import.meta.url));',
    ].join("\n");
    expect(importsOf("x/y.ts", source).map(({ to }) => to)).to.deep.equal([
      "x/a.ts",
      "b.ts",
      "x/c.css",
      "x/d.tsx",
      "package:pg",
      "x/f.ts",
    ]);
  });
});

describe("the files of the sources", () => {
  const files = readdirSync(SOURCES, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

  it("have kebab-case names", () => {
    expect(
      files.map((file) => basename(file)).filter((name) => !/^[a-z0-9-]+(\.d)?\.tsx?$/.test(name)),
    ).to.deep.equal([]);
  });

  it("export by name only", () => {
    const isDefault = (file: string) => /^export default /m.test(readFileSync(file, "utf8"));
    expect(files.filter((file) => !file.endsWith(".d.ts") && isDefault(file))).to.deep.equal([]);
  });
});

/** `from "…"` of imports and exports, `import "…"`, `import("…")`, and the file of a worker. */
const SPECIFIER =
  /^(?:import|export)\s[^;"']*?\sfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|new URL\(\s*"(\.[^"]+\.tsx?)",\s*import\.meta\.url\s*\)/gms;

/** The imports of a file: its own files as paths below `src`, everything else as `package:name`. */
function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(SPECIFIER)].map(([statement, ...specifiers]) => {
    const specifier = specifiers.find((one) => one !== undefined) ?? "";
    const isRelative = specifier.startsWith(".");
    return {
      from: file,
      to: isRelative ? relative(SOURCES, join(SOURCES, dirname(file), specifier)) : `package:${specifier}`,
      typeOnly: /^(?:import|export) type\s/.test(statement),
    };
  });
}

/** Whether a target is a source of ours, not a package and not a file outside `src`. */
function isOurs(to: string): boolean {
  return !to.startsWith("package:") && !to.startsWith("..");
}

/** The folder below `src`; `index.ts` is a module of its own. */
function moduleOf(file: string): string {
  return file.split("/")[0] ?? "";
}

/** Whether a file lies in a folder, named from `src`. */
function isBelow(file: string, folder: string): boolean {
  return file.startsWith(`${folder}/`);
}
