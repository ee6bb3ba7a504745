import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect } from "chai";
import { useEngine } from "./support/use-engine.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DOCUMENTED_ADDRESS = "http://127.0.0.1:8080";
const COPIED =
  "The ferry to the island leaves at six in the morning, and whoever misses it waits until the tide turns.";
const THESIS = `Am Hafen 🛥 warteten wir.\r\n${COPIED} We did not sleep much.`;

/** Each starts a process, on a machine that may be busy. */
const TIMEOUT_MS = 60_000;

describe("the recipes of the README, run as they stand there", function () {
  this.timeout(TIMEOUT_MS);
  const folder = join(tmpdir(), `recipes-${randomUUID()}`);
  after(() => rm(folder, { recursive: true, force: true }));

  const engine = useEngine();
  let recipes: string;

  before(async () => {
    await mkdir(folder);
    const readme = await readFile(join(ROOT, "README.md"), "utf8");
    recipes = readme.split("\n## From your own programs\n")[1]?.split("\n## ")[0] ?? "";
    await writeFile(join(folder, "thesis.txt"), THESIS);
    await engine.client.addDocument("ferry.txt", COPIED);
  });

  /** The only block of code in a language, with the test engine's address in place of the documented one. */
  function recipe(language: string): string {
    const [block, ...more] = [...recipes.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))];
    expect(more, language).to.deep.equal([]);
    expect(block?.[1], language).to.contain(DOCUMENTED_ADDRESS);
    return (block?.[1] ?? "").replaceAll(DOCUMENTED_ADDRESS, engine.client.base);
  }

  it("in TypeScript follows a check and cuts the passages out of the text", async () => {
    const client = pathToFileURL(join(ROOT, "src/client/index.ts")).href;
    await writeFile(join(folder, "recipe.ts"), recipe("ts").replace("similarity-check/client", client));
    const output = await run(process.execPath, ["recipe.ts"]);
    expect(output)
      .to.match(/^complete \d+\.\d+$/m)
      .and.to.contain(COPIED.slice(0, -1));
  });

  it("in Python does the same by code points", async function () {
    if (!(await isHere("python3"))) return this.skip();
    await writeFile(join(folder, "recipe.py"), recipe("python"));
    const output = await run("python3", ["recipe.py", "thesis.txt"]);
    expect(output).to.match(/^\d+\.\d+%, coverage full\n\d+\.\d+% {2}ferry\n/);
    expect(output).to.contain(COPIED.slice(0, -1));
  });

  it("with curl gives the stages, and then the report", async function () {
    if (!(await isHere("curl"))) return this.skip();
    await writeFile(join(folder, "recipe.sh"), recipe("sh"));
    const output = await run("sh", ["recipe.sh"]);
    expect(output).to.match(/^event: complete\ndata: .*\n\n\{/m);
    const report = JSON.parse(output.slice(output.lastIndexOf("\n\n{")));
    expect(report).to.include({ title: "thesis.txt", coverage: "full" });
    expect(report.filters.applied).to.deep.equal({ exclude_quotes: true, min_words: 5 });
  });

  async function run(program: string, args: readonly string[]): Promise<string> {
    const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    const [output, errors] = await Promise.all(
      [child.stdout, child.stderr].map((stream) => Array.fromAsync(stream)),
    );
    if (child.exitCode === null) await once(child, "exit");
    expect(child.exitCode, Buffer.concat(errors ?? []).toString()).to.equal(0);
    return Buffer.concat(output ?? []).toString();
  }

  async function isHere(program: string): Promise<boolean> {
    const child = spawn(program, ["--version"], { stdio: "ignore" });
    const found = await Promise.race([
      once(child, "exit").then(() => true),
      once(child, "error").then(() => false),
    ]);
    if (!found) console.warn(`      ${program} is not here: its recipe was not run`);
    return found;
  }
});
