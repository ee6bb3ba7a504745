import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, rmSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

// Builds the package of the client in packages/client/dist: its modules with their types, and the terminal command as one
// file with the parts of the platform and the libraries that it uses, because the package installs nothing else.

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const BUILT = `${ROOT}packages/client/dist`;

rmSync(BUILT, { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  [`${ROOT}node_modules/typescript/bin/tsc`, "-p", `${ROOT}packages/client`],
  { stdio: "inherit" },
);
if (status !== 0) process.exit(status ?? 1);
await build({
  root: ROOT,
  configFile: false,
  publicDir: false,
  logLevel: "warn",
  build: {
    outDir: `${BUILT}/command`,
    target: "node20.3",
    minify: false,
    ssr: `${ROOT}src/client/command/bin.ts`,
    rolldownOptions: { output: { entryFileNames: "bin.js", codeSplitting: false } },
  },
  ssr: { noExternal: true },
  plugins: [licences()],
});
cpSync(`${ROOT}LICENSE`, `${BUILT}/LICENSE`);

/** Puts the licences of the libraries in the command beside it. */
function licences(): Plugin {
  const packages = new Set<string>();
  return {
    name: "licences",
    moduleParsed({ id }) {
      const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
      if (name !== undefined) packages.add(name);
    },
    generateBundle() {
      const texts = [...packages].toSorted().map((name) => {
        return `${name}\n\n${readFileSync(`${ROOT}node_modules/${name}/license`, "utf8")}`;
      });
      this.emitFile({ type: "asset", fileName: "LICENSES.txt", source: texts.join("\n\n") });
    },
  };
}
