import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { build } from "vite";
import { z } from "zod";
import { childEnvironment } from "../support/processes/child-environment.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");

/** All of the client in a page's bundle, compressed: less than an icon. */
const BUNDLE_BYTES_MAX = 5 * 1024;

/** With the types and the command, which brings the widths of letters. */
const PACKAGE_BYTES_MAX = 80 * 1024;

const Packed = z.tuple([z.object({ filename: z.string(), size: z.number() })]);

const Manifest = z.object({ version: z.string(), license: z.string() });

async function manifestOf(folder: string): Promise<z.infer<typeof Manifest>> {
  return Manifest.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
}

const PROGRAM = `
import { createEngineClient, ProblemError, type Report, UnreachableError } from "similarity-check-client";

const client = createEngineClient({ baseUrl: "http://127.0.0.1:1" });

export async function shares(text: string): Promise<number[]> {
  const report: Report = await client.check(text, { report: { exclude_quotes: true } });
  return report.sources.map((source) => source.similarity_pct);
}

try {
  for await (const progress of client.followCheck("none", { signal: AbortSignal.timeout(100) })) {
    if ("status" in progress) console.log(progress.overall_similarity_pct);
    else console.log(progress.stage);
  }
} catch (error) {
  if (error instanceof ProblemError) console.log(error.code);
}
console.log(await client.getHealth().catch((error: unknown) => error instanceof UnreachableError));
`;

const WRONG = `
import { createEngineClient } from "similarity-check-client";
await createEngineClient().submitCheck({ text: "a member that the API does not have" });
`;

/** Each runs a compiler or a bundler, on a machine that may be busy. */
const TIMEOUT_MS = 120_000;

describe("the package similarity-check-client", function () {
  this.timeout(TIMEOUT_MS);
  let project: string;
  let installed: string;

  before(async () => {
    project = await mkdtemp(join(tmpdir(), "client-project-"));
    installed = join(project, "node_modules", "similarity-check-client");
    run(process.execPath, [join(ROOT, "scripts/build-client.ts")]);
    const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", project];
    const [packed] = Packed.parse(JSON.parse(run("npm", pack, join(ROOT, "packages/client"))));
    expect(packed.size).to.be.below(PACKAGE_BYTES_MAX);
    await writeFile(join(project, "package.json"), '{"type":"module"}');
    run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(project, packed.filename)], project);
    await symlink(join(ROOT, "node_modules", "@types"), join(project, "node_modules", "@types"));
    await symlink(join(ROOT, "node_modules", "undici-types"), join(project, "node_modules", "undici-types"));
    await writeFile(join(project, "program.ts"), PROGRAM);
    await writeFile(join(project, "wrong.ts"), WRONG);
  });

  after(() => rm(project, { recursive: true, force: true }));

  it("installs nothing else, and has the version and the licence of the service", async () => {
    const entries = await readdir(join(project, "node_modules"));
    expect(entries.filter((name) => !/^[.@]|^undici-types$/.test(name))).to.deep.equal([
      "similarity-check-client",
    ]);
    const { version, license } = await manifestOf(ROOT);
    expect(await manifestOf(installed)).to.include({ version, license });
  });

  for (const [environment, options] of [
    ["Node.js", ["--module", "nodenext", "--types", "node", "--lib", "es2022"]],
    [
      "a browser",
      ["--module", "esnext", "--moduleResolution", "bundler", "--types", "", "--lib", "es2022,dom"],
    ],
  ] as const) {
    it(`has types that compile strictly for ${environment}, and refuse what the API does not take`, () => {
      const strict = [
        "--noEmit",
        "--strict",
        "--exactOptionalPropertyTypes",
        "--target",
        "es2022",
        ...options,
      ];
      expect(compile([...strict, "program.ts"])).to.equal("");
      expect(compile([...strict, "wrong.ts"])).to.match(
        /'text' does not exist in type '{ readonly query_text: string;/,
      );
    });
  }

  it("runs as a user's program imports it", () => {
    const options = ["--module", "nodenext", "--types", "node", "--target", "es2022"];
    run(process.execPath, [TSC, ...options, "program.ts"], project);
    expect(run(process.execPath, ["program.js"], project).trim()).to.equal("true");
  });

  it("brings the terminal command as a program that runs", async () => {
    const command = join(project, "node_modules", ".bin", "similarity-check");
    expect(run(command, ["--help"], project)).to.match(/^Usage: .*\n +similarity-check FILE…/);
    const licences = await readFile(join(installed, "dist/command/LICENSES.txt"), "utf8");
    expect(licences).to.match(/^string-width\n/m);
  });

  it("is small in a browser's bundle", async () => {
    const entry = join(project, "entry.js");
    await writeFile(entry, 'export { createEngineClient } from "similarity-check-client";');
    const built = await build({
      root: project,
      configFile: false,
      logLevel: "silent",
      build: { write: false, lib: { entry, formats: ["es"] }, minify: true },
    });
    const outputs = [built].flat().flatMap((one) => ("output" in one ? one.output : []));
    const code = outputs.map((output) => (output.type === "chunk" ? output.code : "")).join("");
    expect(code)
      .to.contain("/v1/checks")
      .and.not.to.match(/\bimport\b/);
    expect(gzipSync(code).length).to.be.below(BUNDLE_BYTES_MAX);
  });

  /** What the compiler complains of. */
  function compile(args: readonly string[]): string {
    return spawnSync(process.execPath, [TSC, ...args], {
      cwd: project,
      encoding: "utf8",
      env: childEnvironment(),
    }).stdout;
  }
});

function run(program: string, args: readonly string[], cwd = ROOT): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: childEnvironment({ ...process.env }),
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}
