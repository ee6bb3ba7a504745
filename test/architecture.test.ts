import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";

const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));
const TESTS = fileURLToPath(new URL("./", import.meta.url));
const FEATURES = ["batches", "checks", "core-api", "corpus", "report", "statistics"];
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

/** The HTTP side of each feature. */
const API_FOLDERS = [...FEATURES.map((feature) => `${feature}/api`), "checks/comparisons/api"];

/** What the report page shares with the export of reports. A browser can't load `report/index.ts`, which serves requests. */
const PAGE_FILES = ["report/reworded-parts.ts", "report/source-colours.ts", "report/wording.ts"];

/** The schemas of the answers that the pages of the statistics read. */
const ANSWER_FILES = ["statistics/api/schema.ts", "statistics/read-model/rows.ts"];
type Import = { readonly from: string; readonly to: string; readonly typeOnly: boolean };

/** What each feature offers to the others. */
const INDEXES = readdirSync(SOURCES, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith("/index.ts") && !file.startsWith("client/"));

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

  /** What features use of reports: the figures, which are pure, and the tasks that compute them in threads. */
  const isFigures = (to: string) => isBelow(to, "report/figures") || to === "report/tasks.ts";

  const isIndexOfFeature = (to: string) => INDEXES.includes(to);

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

  it("lets matching import only text, platform and matching", () => {
    expect(violations("matching", within("text", "platform", "matching"))).to.deep.equal([]);
  });

  it("lets no use case of checks, batches and the core api import the api: presenters are passed in", () => {
    const own = imports.filter(
      ({ from }) => /^(checks|batches|core-api)\//.test(from) && !/\/(api\/|index\.ts$)/.test(from),
    );
    expect(own.length).to.be.above(100);
    expect(own.filter(({ to }) => to.includes("/api/"))).to.deep.equal([]);
  });

  for (const feature of FEATURES) {
    const shared = within("text", "extract", "matching", "platform", "http", feature);
    it(`lets ${feature} import, of another feature, only its index.ts, and of report the figures and their tasks`, () => {
      const isAllowed = (to: string) => shared(to) || isIndexOfFeature(to) || isFigures(to);
      expect(violations(feature, isAllowed)).to.deep.equal([]);
    });
  }

  it("lets only service import the api folders of features, besides the files of that folder", () => {
    const outside = imports.filter(({ from, to, typeOnly }) => {
      const folder = API_FOLDERS.find((one) => isBelow(to, one));
      // The pages of the statistics read its API: they import the types of its answers.
      const isAnswer = moduleOf(from) === "web" && typeOnly && ANSWER_FILES.includes(to);
      return folder !== undefined && !isBelow(from, folder) && moduleOf(from) !== "service" && !isAnswer;
    });
    expect(imports.some(({ from }) => isBelow(from, "report/api"))).to.equal(true);
    expect(outside).to.deep.equal([]);
  });

  it("keeps the folders of http free of circles: input, then routing, then docs and security, then http itself", () => {
    const below = (folder: string) =>
      imports.filter(({ from, to }) => isBelow(from, folder) && isBelow(to, "http"));
    const allowed: Readonly<Record<string, readonly string[]>> = {
      "http/input": ["http/input"],
      "http/routing": ["http/input", "http/routing"],
      "http/docs": ["http/input", "http/routing", "http/docs"],
      "http/security": ["http/routing", "http/security"],
    };
    for (const [folder, targets] of Object.entries(allowed))
      expect(below(folder).filter(({ to }) => !targets.some((one) => isBelow(to, one)))).to.deep.equal([]);
  });

  for (const index of INDEXES) {
    it(`lets ${index} export 15 names at most`, () => {
      const exported = [...readFileSync(join(SOURCES, index), "utf8").matchAll(/\{([^}]*)\}/g)];
      const names = exported.flatMap(([, list = ""]) => list.split(",").filter((name) => name.trim() !== ""));
      expect(names.length).to.be.within(1, 15);
    });
  }

  it("lets web import text, http, platform and client, and of a feature its index.ts and pure files", () => {
    const shared = within("text", "http", "platform", "client", "web");
    const isAllowed = (to: string) =>
      shared(to) ||
      isIndexOfFeature(to) ||
      PAGE_FILES.includes(to) ||
      ["report/figures", "extract/pdf"].some((folder) => isBelow(to, folder));
    const isType = ({ to, typeOnly }: Import) => typeOnly && ANSWER_FILES.includes(to);
    const others = imports.filter((one) => moduleOf(one.from) === "web" && !isType(one));
    expect(others.filter(({ to }) => !isAllowed(to))).to.deep.equal([]);
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

  it("lets the run of a check reach only checks, matching, text, figures and platform, so that it can be read alone", () => {
    const targets = new Map(
      [...Map.groupBy(imports, ({ from }) => from)].map(([from, own]) => [
        from,
        own.map(({ to }) => to).filter(isOurs),
      ]),
    );
    const reached = [...reachable("checks/run-check.ts", targets)];
    expect(reached).to.include.members(["matching/words/align.ts", "report/figures/figures.ts"]);
    const isOwn = (file: string) => /^(checks|matching|text|platform|report\/figures)\//.test(file);
    expect(reached.filter((file) => !isOwn(file))).to.deep.equal([]);
  });

  it("lets only service itself and src/index.ts import service", () => {
    const upward = imports.filter(({ to }) => moduleOf(to) === "service");
    expect(upward.length).to.be.above(10);
    expect(upward.filter(({ from }) => !["service", "index.ts"].includes(moduleOf(from)))).to.deep.equal([]);
  });

  it("has no cycle of imports, dynamic ones included", () => {
    expect(cyclesOf(imports)).to.deep.equal([]);
  });

  it("has no cycle of folders", () => {
    const arrows = imports
      .filter(({ to }) => isOurs(to))
      .map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }));
    expect(cyclesOf(arrows.filter(({ from, to }) => from !== to))).to.deep.equal([]);
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

describe("the layout in docs/contributing.md", () => {
  const ROOT = fileURLToPath(new URL("../", import.meta.url));
  const [, layout = ""] =
    /^```\n(src\/\n.*?)^```$/ms.exec(readFileSync(join(ROOT, "docs/contributing.md"), "utf8")) ?? [];
  const named = (pattern: RegExp) => [...layout.matchAll(pattern)].map(([, name = ""]) => name);

  it("names every folder of src and no others", () => {
    const folders = readdirSync(SOURCES, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(named(/^ {2}([\w-]+)\//gm).toSorted()).to.deep.equal(folders.map(({ name }) => name).toSorted());
  });

  it("names only folders that exist", () => {
    const top = named(/^([\w/-]+)\/(?: |$)/gm);
    expect(top).to.include.members(["src", "test", "tools", "measure", "scripts", "migrations"]);
    expect(top.filter((folder) => !existsSync(join(ROOT, folder)))).to.deep.equal([]);
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

describe("the structure of the tests", () => {
  /** What starts the stores, and what needs them. */
  const STORES = [
    "stores",
    "use-engine",
    "use-corpus",
    "use-statistics",
    "service",
    "processes/own-stores",
  ].map((name) => `support/${name}.ts`);

  it("lets the tests of text, matching and report run without stores", () => {
    const files = readdirSync(TESTS, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith(".ts"));
    const targets = new Map(
      files.map((file) => [
        file,
        importsOf(file, readFileSync(join(TESTS, file), "utf8"), TESTS).map(({ to }) => to),
      ]),
    );
    const starts = files.filter((file) => /^(text|matching|report)\/.*\.test\.ts$/.test(file));
    expect(starts.length).to.be.above(50);
    expect(STORES.filter((file) => !targets.has(file))).to.deep.equal([]);
    expect(
      starts.filter((start) => STORES.some((file) => reachable(start, targets).has(file))),
    ).to.deep.equal([]);
  });
});

/** A file and all that it imports, also by other files. */
function reachable(start: string, targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set([start]);
  for (const file of found) for (const target of targets.get(file) ?? []) found.add(target);
  return found;
}

/** The paths along arrows that end where they began. */
function cyclesOf(arrows: readonly Pick<Import, "from" | "to">[]): string[] {
  const targets = Map.groupBy(arrows, ({ from }) => from);
  const state = new Map<string, "open" | "done">();
  const cycles: string[] = [];
  const visit = (place: string, path: readonly string[]): void => {
    if (state.get(place) === "open") cycles.push([...path.slice(path.indexOf(place)), place].join(" -> "));
    if (state.has(place)) return;
    state.set(place, "open");
    for (const { to } of targets.get(place) ?? []) visit(to, [...path, place]);
    state.set(place, "done");
  };
  for (const place of targets.keys()) visit(place, []);
  return cycles;
}

/** `from "…"` of imports and exports, `import "…"`, `import("…")`, and the file of a worker. */
const SPECIFIER =
  /^(?:import|export)\s[^;"']*?\sfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|new URL\(\s*"(\.[^"]+\.tsx?)",\s*import\.meta\.url\s*\)/gms;

/** The imports of a file: our own files as paths below `root`, everything else as `package:name`. */
function importsOf(file: string, text: string, root = SOURCES): Import[] {
  return [...text.matchAll(SPECIFIER)].map(([statement, ...specifiers]) => {
    const specifier = specifiers.find((one) => one !== undefined) ?? "";
    const isRelative = specifier.startsWith(".");
    return {
      from: file,
      to: isRelative ? relative(root, join(root, dirname(file), specifier)) : `package:${specifier}`,
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
