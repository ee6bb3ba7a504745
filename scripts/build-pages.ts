import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";
import { PAGES } from "../src/web/pages.ts";

// Bundles the pages into dist/pages. The launcher runs this when one of their source files has changed.

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const FOLDER = fileURLToPath(new URL("../src/web/browser/", import.meta.url));
const BUILT = fileURLToPath(new URL("../dist/pages/", import.meta.url));

/** Vite's "widely available" browsers, restricted to those with `light-dark()` in styles. */
const TARGET = ["chrome123", "edge123", "firefox120", "safari17.5"];

/** The code of all pages, and the library that renders them. */
const SHARED = /browser\/shared\/|src\/client\/|src\/core\/text\/languages|node_modules\/preact\//;

await build({
  root: FOLDER,
  configFile: false,
  base: "/pages/",
  publicDir: false,
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    manifest: "manifest.json",
    target: TARGET,
    // No data URLs: the content security policy allows them only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: PAGES.map(({ entry }) => FOLDER + entry),
      output: {
        entryFileNames: "[name]-[hash].js",
        chunkFileNames: "[name]-[hash].js",
        assetFileNames: "[name]-[hash][extname]",
        // One shared file: by default every component that two pages use would become a file of its own.
        codeSplitting: { groups: [{ name: "shared", test: SHARED }] },
      },
    },
  },
  plugins: [noteInputs()],
});

/** Records the hashes of all source files, so that the launcher can tell whether the build is current. */
function noteInputs(): Plugin {
  const inputs = new Set(["package-lock.json", "scripts/build-pages.ts", "src/web/pages.ts"]);
  return {
    name: "note-inputs",
    moduleParsed({ id }) {
      const path = relative(ROOT, id.replace(/\?.*$/, ""));
      if (!path.startsWith("..") && !path.includes("node_modules") && !path.includes("\0")) inputs.add(path);
    },
    closeBundle() {
      const hashes = Object.fromEntries([...inputs].toSorted().map((path) => [path, hashOf(ROOT + path)]));
      writeFileSync(`${BUILT}built-from.json`, `${JSON.stringify(hashes, null, 2)}\n`);
    },
  };
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
