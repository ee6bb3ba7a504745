import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, type Plugin } from "vite";
import { PAGES } from "../src/web/pages.ts";

// Bundles the pages into dist/pages, with Swagger UI and Redoc in dist/pages/docs, and the layouts and fonts of PDFs in
// dist/pages/pdf. The launcher runs this when one of their
// source files has changed.

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const FOLDER = fileURLToPath(new URL("../src/web/browser/", import.meta.url));
const BUILT = fileURLToPath(new URL("../dist/pages/", import.meta.url));

/** The scripts of the statistics pages. */
const STATISTICS_PAGES = ["story", "country", "cases", "news", "developers", "plain"].map(
  (name) => `statistics/${name}.ts`,
);

const PDF_LAYOUTS = ["shared", "report", "comparison"].map((name) => `src/report/exports/pdf/${name}.typ`);

/** Vite's "widely available" browsers, restricted to those with `light-dark()` in styles. */
const TARGET = ["chrome123", "edge123", "firefox120", "safari17.5"];

/** The code of all pages, and the library that renders them. */
const SHARED =
  /browser\/shared\/|src\/client\/|src\/text\/language|src\/report\/wording|node_modules\/preact\//;

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
    // pdf.js, which is loaded when the pages of a PDF are first shown.
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [...new Set([...PAGES.map(({ entry }) => entry), ...STATISTICS_PAGES])].map(
        (entry) => FOLDER + entry,
      ),
      output: {
        entryFileNames: "[name]-[hash].js",
        chunkFileNames: "[name]-[hash].js",
        assetFileNames: "[name]-[hash][extname]",
        // By default every component that two pages use would become a file of its own.
        codeSplitting: {
          groups: [
            // What the pages of the statistics have in common with the others: Vite's own for parts that are loaded later, and saving
            // files. Inside another page's part, it would bring that page's code and styles with it.
            { name: "common", test: /vite\/preload-helper|browser\/shared\/save-file/, priority: 4 },
            { name: "shared", test: SHARED, priority: 3 },
            { name: "texts", test: /browser\/(?:report|compare)\//, minShareCount: 2, priority: 2 },
            { name: "batch", test: /browser\/batches\//, minShareCount: 2, priority: 1 },
            { name: "statistics", test: /browser\/statistics\//, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  plugins: [documentation(), pdfFiles(), pdfParts(), compressed(), noteInputs()],
});

/**
 * Puts the files of Swagger UI and Redoc, which their packages bring ready-made, and their licences beside the pages, so
 * that a service needs neither package. Redoc shows a picture from its maker's host beside its own link: it becomes an
 * empty one, because the pages load nothing from other hosts.
 */
function documentation(): Plugin {
  const files = [
    "swagger-ui-dist/swagger-ui-bundle.js",
    "swagger-ui-dist/swagger-ui-standalone-preset.js",
    "swagger-ui-dist/swagger-ui.css",
    "swagger-ui-dist/favicon-32x32.png",
    "redoc/bundles/redoc.standalone.js",
  ];
  const licences = [
    "swagger-ui-dist/LICENSE",
    "swagger-ui-dist/NOTICE",
    "redoc/LICENSE",
    "preact/LICENSE",
    "zod/LICENSE",
    "pdfjs-dist/LICENSE",
    ...files.filter((file) => file.endsWith(".js")).map((file) => `${file}.LICENSE.txt`),
  ];
  const picture = "https://cdn.redoc.ly/redoc/logo-mini.svg";
  const emptyPicture = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>";
  return {
    name: "documentation",
    generateBundle() {
      for (const file of files) {
        const content = readFileSync(`${ROOT}node_modules/${file}`);
        const source = file.startsWith("redoc")
          ? content.toString().replaceAll(picture, emptyPicture)
          : content;
        const hash = createHash("sha256").update(source).digest("base64url").slice(0, 12);
        this.emitFile({ type: "asset", fileName: `docs/${hash}-${basename(file)}`, source });
      }
      for (const licence of licences) {
        const fileName = `licences/${licence.replace("bundles/", "")}`;
        this.emitFile({ type: "asset", fileName, source: readFileSync(`${ROOT}node_modules/${licence}`) });
      }
    },
  };
}

/** Copies the files that pdf.js loads only for some PDFs, with their licences: fonts, character maps, a decoder. */
function pdfFiles(): Plugin {
  const folder = `${ROOT}node_modules/pdfjs-dist/`;
  const { version } = JSON.parse(readFileSync(`${folder}package.json`, "utf8"));
  const isNeeded = (file: string) => !file.endsWith(".wasm") && !file.includes("QCMS");
  return {
    name: "pdf-files",
    generateBundle() {
      for (const part of ["cmaps", "standard_fonts", "wasm"])
        for (const file of readdirSync(folder + part).filter(isNeeded)) {
          const source = readFileSync(`${folder}${part}/${file}`);
          this.emitFile({ type: "asset", fileName: `pdfjs-${version}/${part}/${file}`, source });
        }
    },
  };
}

/**
 * Puts the layouts of PDFs and the fonts for them beside the pages: one weight of each font takes 18 MB, their packages 110 MB.
 * Typst itself brings a serif font with Latin, Greek, Cyrillic and Hebrew letters.
 */
function pdfParts(): Plugin {
  const fonts = [
    "pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf",
    "pdfjs-dist/standard_fonts/LiberationSans-Bold.ttf",
    "@embedpdf/fonts-arabic/fonts/NotoNaskhArabic-Regular.ttf",
    "@embedpdf/fonts-arabic/fonts/NotoNaskhArabic-Bold.ttf",
    "@embedpdf/fonts-sc/fonts/NotoSansHans-Regular.otf",
    "@embedpdf/fonts-jp/fonts/NotoSansJP-Regular.otf",
    "@embedpdf/fonts-kr/fonts/NotoSansKR-Regular.otf",
    "@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf",
    "@expo-google-fonts/noto-sans-devanagari/700Bold/NotoSansDevanagari_700Bold.ttf",
    "@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf",
    "@expo-google-fonts/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf",
  ];
  const licences = [
    "pdfjs-dist/standard_fonts/LICENSE_LIBERATION",
    "@embedpdf/fonts-arabic/LICENSE",
    "@embedpdf/fonts-sc/LICENSE",
    "@embedpdf/fonts-jp/LICENSE",
    "@embedpdf/fonts-kr/LICENSE",
    "@expo-google-fonts/noto-sans-devanagari/LICENSE_FONT",
    "@expo-google-fonts/noto-sans-thai/LICENSE_FONT",
  ];
  return {
    name: "pdf-parts",
    generateBundle() {
      const add = (fileName: string, path: string) =>
        this.emitFile({ type: "asset", fileName, source: readFileSync(ROOT + path) });
      for (const layout of PDF_LAYOUTS) add(`pdf/${basename(layout)}`, layout);
      for (const font of fonts) add(`pdf/fonts/${basename(font)}`, `node_modules/${font}`);
      for (const licence of licences) add(`licences/${licence}`, `node_modules/${licence}`);
    },
  };
}

/** Writes compressed copies of the pages' files, so that the service need not make them at each start. */
function compressed(): Plugin {
  return {
    name: "compressed",
    writeBundle(_options, bundle) {
      const names = Object.keys(bundle).filter((name) => /^[^/]+\.(?:js|mjs|css|svg)$/.test(name));
      for (const name of names) {
        const content = readFileSync(BUILT + name);
        writeFileSync(`${BUILT}${name}.br`, brotliCompressSync(content));
        writeFileSync(`${BUILT}${name}.gz`, gzipSync(content));
      }
    },
  };
}

/** Records the hashes of all source files, so that the launcher can tell whether the build is current. */
function noteInputs(): Plugin {
  const inputs = new Set(["package-lock.json", "scripts/build-pages.ts", "src/web/pages.ts", ...PDF_LAYOUTS]);
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
