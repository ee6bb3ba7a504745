import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";

const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));
const FEATURES = ["checks", "corpus", "reports", "statistics"];
/** The composition root sees everything, and nothing else imports it. */
const COMPOSITION_ROOT = "app";

type Import = { readonly from: string; readonly to: string };

describe("the structure of the sources", () => {
  let imports: Import[];

  before(async () => {
    const files = await readdir(SOURCES, { recursive: true });
    imports = files.filter((file) => file.endsWith(".ts")).flatMap(importsOf);
  });

  it("keeps core pure: it imports nothing but core, no module of Node and no package but the stemmers", () => {
    const core = imports.filter(({ from }) => roomOf(from) === "core");
    expect(core.length).to.be.above(50);
    const allowed = (to: string) => roomOf(to) === "core" || to.startsWith("package:@orama/stemmers/");
    expect(core.filter(({ to }) => !allowed(to))).to.deep.equal([]);
  });

  it("lets platform and http import no feature", () => {
    const below = imports.filter(({ from }) => ["platform", "http"].includes(roomOf(from)));
    const allowed = ["core", "platform", "http"];
    expect(below.filter(({ to }) => isOurs(to) && !allowed.includes(roomOf(to)))).to.deep.equal([]);
  });

  it("lets the client import nothing but itself, so that it runs in browsers", () => {
    const client = imports.filter(({ from }) => roomOf(from) === "client");
    expect(client.length).to.be.above(5);
    expect(client.filter(({ to }) => roomOf(to) !== "client")).to.deep.equal([]);
  });

  it("lets the terminal command know a service by its API alone: it imports no feature", () => {
    const command = imports.filter(({ from }) => roomOf(from) === "cli");
    expect(command.length).to.be.above(5);
    expect(
      command.filter(({ to }) => ["core", "http", "web", ...FEATURES].includes(roomOf(to))),
    ).to.deep.equal([]);
  });

  it("lets a feature import of another only what its index exports", () => {
    const across = imports.filter(
      ({ from, to }) =>
        FEATURES.includes(roomOf(from)) && FEATURES.includes(roomOf(to)) && roomOf(from) !== roomOf(to),
    );
    expect(across.filter(({ to }) => to !== `${roomOf(to)}/index.ts`)).to.deep.equal([]);
  });

  it("lets nothing import the composition root but itself", () => {
    const upward = imports.filter(({ to }) => isRoot(to));
    expect(upward.length).to.be.above(10);
    expect(upward.filter(({ from }) => !isRoot(from))).to.deep.equal([]);
  });

  it("has no cycle of imports", () => {
    const targets = new Map<string, string[]>();
    for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
    const state = new Map<string, "open" | "done">();
    const cycles: string[] = [];
    const visit = (file: string, path: readonly string[]): void => {
      if (state.get(file) === "open") cycles.push([...path, file].join(" -> "));
      if (state.has(file)) return;
      state.set(file, "open");
      for (const next of targets.get(file) ?? []) visit(next, [...path, file]);
      state.set(file, "done");
    };
    for (const file of targets.keys()) visit(file, []);
    expect(cycles).to.deep.equal([]);
  });
});

/** What a file imports: its own files as paths below `src`, everything else by name. */
function importsOf(file: string): Import[] {
  const text = readFileSync(join(SOURCES, file), "utf8");
  const specifiers = [...text.matchAll(/^(?:import|export)\s[^;]*?from "([^"]+)";$/gms)].map(
    (match) => match[1] ?? "",
  );
  return specifiers.map((specifier) => ({
    from: file,
    to: specifier.startsWith(".")
      ? relative(SOURCES, join(SOURCES, dirname(file), specifier))
      : `package:${specifier}`,
  }));
}

function isRoot(file: string): boolean {
  return roomOf(file) === COMPOSITION_ROOT || file === "index.ts";
}

function isOurs(file: string): boolean {
  return !file.startsWith("package:");
}

function roomOf(file: string): string {
  return file.split("/")[0] ?? "";
}
