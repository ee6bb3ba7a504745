import { existsSync, readFileSync } from "node:fs";
import { Router } from "@koa/router";
import { z } from "zod";
import { writeProblem } from "./routing/problem.ts";

type BuiltFile = { readonly type: string; readonly encodings: Readonly<Record<Encoding, Buffer>> };

const ENCODINGS = ["br", "gzip", "identity"] as const;
type Encoding = (typeof ENCODINGS)[number];

export type PageFiles = {
  readonly script: string;
  readonly styles: readonly string[];
  /** Modules that the script imports, loaded in parallel with it. */
  readonly preloads: readonly string[];
};

export type BuiltPages = {
  readonly filesOf: (entry: string) => PageFiles;
  /** By name, such as `submit-x1Yz.js`; the name changes with the content. */
  readonly file: (name: string) => BuiltFile | undefined;
};

export const FILES_PATH = "/pages/";

/** The output of `npm run build:pages`, at the same place relative to `src/http` and `dist/http`. */
export const BUILT_FOLDER = new URL("../../dist/pages/", import.meta.url);

/** Reads Vite's output and its compressed copies into memory: some 100 KB, and pdf.js. Undefined if the pages were not built. */
export function readBuiltPages(folder: URL = BUILT_FOLDER): BuiltPages | undefined {
  const manifestFile = new URL("manifest.json", folder);
  if (!existsSync(manifestFile)) return undefined;
  const manifest = Manifest.parse(JSON.parse(readFileSync(manifestFile, "utf8")));
  const names = new Set(
    Object.values(manifest).flatMap(({ file, css, assets }) => [file, ...css, ...assets]),
  );
  const files = new Map([...names].map((name) => [name, builtFile(folder, name)]));
  return { filesOf: (entry) => filesOf(manifest, entry), file: (name) => files.get(name) };
}

/** Says that a page can't be shown. */
export const UNBUILT = "The pages of this instance are not built. Run: npm run build:pages";

/** The names of files change with their content. */
export const IMMUTABLE = "public, max-age=31536000, immutable";

/** The policy for a file that runs as a worker: the worker of pdf.js may load its decoders from here, and nothing else. */
export const FILE_POLICY = "default-src 'none'; script-src 'self'";

/** Serves the built files and no others. */
export function builtFilesRouter(built: BuiltPages | undefined): Router {
  const router = new Router();
  router.get(`${FILES_PATH}:file`, (ctx) => {
    const file = built?.file(String(ctx.params.file));
    if (file === undefined) return writeProblem(ctx, "not_found", "This file does not exist.");
    ctx.status = 200;
    ctx.set({ "Cache-Control": IMMUTABLE, Vary: "Accept-Encoding", "Content-Security-Policy": FILE_POLICY });
    ctx.type = file.type;
    const encoding = ENCODINGS.find((one) => one === ctx.acceptsEncodings(...ENCODINGS)) ?? "identity";
    if (encoding !== "identity") ctx.set("Content-Encoding", encoding);
    ctx.body = file.encodings[encoding];
  });
  return router;
}

/** Vite's manifest: the file of each source module, by its path. */
const Manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    assets: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
  }),
);

function filesOf(manifest: z.infer<typeof Manifest>, entry: string): PageFiles {
  const keys = new Set([entry]);
  for (const key of keys) for (const imported of chunkOf(manifest, key).imports) keys.add(imported);
  const chunks = [...keys].map((key) => chunkOf(manifest, key));
  // Imported styles come first, because a page's own rules override them.
  const styles = new Set(chunks.toReversed().flatMap(({ css }) => css));
  return {
    script: FILES_PATH + chunkOf(manifest, entry).file,
    styles: [...styles].map((name) => FILES_PATH + name),
    preloads: chunks.slice(1).map(({ file }) => FILES_PATH + file),
  };
}

function chunkOf(manifest: z.infer<typeof Manifest>, key: string) {
  const chunk = manifest[key];
  if (chunk === undefined) throw new Error(`the built pages lack the module ${key}: run npm run build:pages`);
  return chunk;
}

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript",
  mjs: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
};

function builtFile(folder: URL, name: string): BuiltFile {
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)];
  if (type === undefined) throw new Error(`the built pages contain a file of an unknown type: ${name}`);
  const read = (ending = "") => readFileSync(new URL(name + ending, folder));
  return { type, encodings: { br: read(".br"), gzip: read(".gz"), identity: read() } };
}
