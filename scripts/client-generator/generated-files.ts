import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { engineApi } from "../../src/app/engine-api.ts";
import type { ApiDocument } from "./api-document.ts";
import { clientSource } from "./client-source.ts";

/** The generated files of the client by their paths in the repository, as they ought to be now. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const document: ApiDocument = JSON.parse(JSON.stringify(engineApi()));
  const { types, operations } = clientSource(document);
  return new Map([
    ["src/client/generated/engine-types.ts", formatted(types)],
    ["src/client/generated/engine-operations.ts", formatted(operations)],
  ]);
}

/** As the rest of the sources is formatted, so that they pass the same check. */
function formatted(source: string): string {
  const biome = fileURLToPath(new URL("../../node_modules/@biomejs/biome/bin/biome", import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [biome, "check", "--write", "--stdin-file-path=src/client/generated/source.ts"],
    { input: source, encoding: "utf8", cwd: fileURLToPath(new URL("../../", import.meta.url)) },
  );
  if (status !== 0) throw new Error(`the generated source can't be formatted:\n${stderr}`);
  return stdout;
}
