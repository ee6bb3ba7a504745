import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";

const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));
const FEATURES = ["batches", "checks", "comparisons", "corpus", "reports", "statistics", "webhooks"];
const MODULES = [
  "app",
  "cli",
  "client",
  "compute",
  "core",
  "encoder",
  "http",
  "mediawiki",
  "platform",
  "web",
  ...FEATURES,
];

/** The text libraries that `core` may use. */
const TEXT_LIBRARIES = /^package:@orama\/stemmers\//;

/** What the report page shares with the export of reports. A browser can't load `reports/index.ts`, which serves requests. */
const PAGE_FILES = ["reports/reworded-parts.ts", "reports/source-colours.ts", "reports/wording.ts"];

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

  const isPure = (to: string) => ["core", "client"].includes(moduleOf(to)) || PAGE_FILES.includes(to);

  const isIndexOfFeature = (to: string) => FEATURES.some((feature) => to === `${feature}/index.ts`);

  it("has no module but those that these rules know", () => {
    const modules = new Set(imports.flatMap(({ from, to }) => [from, to].filter(isOurs)).map(moduleOf));
    expect([...modules].toSorted()).to.deep.equal([...MODULES, "index.ts"].toSorted());
  });

  it("lets core import only core and text libraries, no module of Node.js", () => {
    expect(violations("core", (to) => moduleOf(to) === "core" || TEXT_LIBRARIES.test(to))).to.deep.equal([]);
  });

  it("lets platform import only core and platform", () => {
    expect(violations("platform", within("core", "platform"))).to.deep.equal([]);
  });

  it("lets compute, encoder and mediawiki import only core and platform", () => {
    for (const module of ["compute", "encoder", "mediawiki"])
      expect(violations(module, within("core", "platform", module))).to.deep.equal([]);
  });

  it("lets http import only core, platform and http", () => {
    expect(violations("http", within("core", "platform", "http"))).to.deep.equal([]);
  });

  for (const feature of FEATURES) {
    const shared = within("core", "compute", "encoder", "mediawiki", "platform", "http", feature);
    it(`lets ${feature} import, of another feature, only its index.ts`, () => {
      expect(violations(feature, (to) => shared(to) || isIndexOfFeature(to))).to.deep.equal([]);
    });
  }

  it("lets web import core, http, platform and client, and of a feature its index.ts and pure files", () => {
    const shared = within("core", "http", "platform", "client", "web");
    const isAllowed = (to: string) => shared(to) || isIndexOfFeature(to) || PAGE_FILES.includes(to);
    expect(violations("web", isAllowed)).to.deep.equal([]);
    const impure = imports.filter(
      ({ from, to, typeOnly }) => PAGE_FILES.includes(from) && !typeOnly && !isPure(to),
    );
    expect(impure).to.deep.equal([]);
  });

  it("lets the client import only itself, so that it runs in browsers", () => {
    expect(violations("client", (to) => moduleOf(to) === "client")).to.deep.equal([]);
  });

  it("lets the terminal command know a service by its API alone: it imports only the client and platform", () => {
    expect(violations("cli", within("cli", "client", "platform"))).to.deep.equal([]);
  });

  it("lets only app itself and src/index.ts import app", () => {
    const upward = imports.filter(({ to }) => moduleOf(to) === "app");
    expect(upward.length).to.be.above(10);
    expect(upward.filter(({ from }) => !["app", "index.ts"].includes(moduleOf(from)))).to.deep.equal([]);
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

  it("have 450 lines at most, except generated ones", () => {
    const isLong = (file: string) => readFileSync(file, "utf8").split("\n").length > 451;
    const long = files.filter((file) => !file.includes("/generated/") && isLong(file));
    expect(long.map((file) => relative(SOURCES, file))).to.deep.equal([]);
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
