import { spawn, spawnSync } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { childEnvironment } from "../support/processes/child-environment.ts";
import { corpusEnvironment } from "../support/processes/corpus-environment.ts";
import { useEngine } from "../support/use-engine.ts";
import { useStatistics } from "../support/use-statistics.ts";
import { codeBlocks, nameOf, ROOT } from "./code-blocks.ts";

const ENGINE = "http://127.0.0.1:8080";
const STATISTICS = "http://127.0.0.1:8081";
const COPIED =
  "The ferry to the island leaves at six in the morning, and whoever misses it waits until the tide turns.";
const THESIS = `Am Hafen 🛥 warteten wir.\r\n${COPIED} We did not sleep much.`;
const ODD_FILES = join(ROOT, "../shared/data/documents");
const STATISTICS_FILES = join(ROOT, "../shared/data/statistics");

/** Each example starts several processes, on a machine that may be busy. */
const TIMEOUT_MS = 120_000;

describe("the examples of the documents, run as they are written", function () {
  this.timeout(TIMEOUT_MS);
  const engine = useEngine();
  const statistics = useStatistics();
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "examples-"));
    await mkdir(join(folder, "bin"));
    await mkdir(join(folder, "theses"));
    await writeFile(join(folder, "thesis.txt"), THESIS);
    await writeFile(join(folder, "theses", "one.txt"), `${THESIS} A thesis of last year.`);
    await writeFile(
      join(folder, "article.txt"),
      "Nothing in this short article was taken from anybody else.",
    );
    // Commands of the documents run in a checkout; here they run in a folder of the test.
    const npm = join(folder, "bin", "npm");
    const real = spawnSync("which", ["npm"], { encoding: "utf8" }).stdout.trim();
    await writeFile(npm, `#!/bin/sh\nexec "${real}" --prefix "${ROOT}" "$@"\n`);
    await chmod(npm, 0o755);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  describe("README.md", () => {
    it("First check: the pasted block prints the report that is shown", async () => {
      const output = await shell(block("README.md > First check > sh"));
      const report: unknown = JSON.parse(output.slice(output.lastIndexOf("\n\n{")));
      const shown: unknown = JSON.parse(block("README.md > First check > json"));
      expectShown(report, shown, "report");
    });

    it("In the terminal", async function () {
      needs(this, "jq");
      await wordAndPdf(this);
      await shell(block("README.md > In the terminal > sh"), { HOME: folder });
    });

    it("From your own programs", async () => {
      const output = await program("readme.ts", block("README.md > From your own programs > ts"));
      expect(output).to.match(/^\d+\.?\d* \[/);
    });
  });

  describe("docs/api.md", () => {
    it("TypeScript: follows a check and cuts the passages out of the text", async () => {
      await engine.client.addDocument("ferry.txt", COPIED);
      const output = await program("recipe.ts", block("docs/api.md > TypeScript and JavaScript > ts"));
      expect(output)
        .to.match(/^complete \d+(\.\d+)?$/m)
        .and.to.contain(COPIED.slice(0, -1));
    });

    it("Python: does the same by code points", async function () {
      needs(this, "python3");
      await engine.client.addDocument("ferry.txt", COPIED);
      await writeFile(join(folder, "recipe.py"), block("docs/api.md > Python > python"));
      const output = await run("python3", ["recipe.py", "thesis.txt"]);
      expect(output).to.match(/^\d+(\.\d+)?%, coverage full\n\d+(\.\d+)?% {2}/);
      expect(output).to.contain(COPIED.slice(0, -1));
    });

    it("Shell: shows the stages and then the report", async () => {
      const output = await shell(block("docs/api.md > Shell > sh"));
      expect(output).to.match(/^event: complete\ndata: .*\n\n\{/m);
      const report = JSON.parse(output.slice(output.lastIndexOf("\n\n{")));
      expect(report).to.include({ title: "thesis.txt", coverage: "full" });
      expect(report.filters.applied).to.deep.equal({ exclude_quotes: true, min_words: 5 });
    });

    it("The terminal command", async function () {
      needs(this, "jq");
      needs(this, "git");
      await wordAndPdf(this);
      await shell(
        "git init -q . && git add article.txt && git -c user.name=a -c user.email=a@example.org commit -qm article",
      );
      const output = await shell(
        block("docs/api.md > The terminal command > sh").replace("https://check.example", engine.client.base),
      );
      expect(output).to.match(/^\d+(\.\d+)?$/m);
    });
  });

  describe("docs/corpus.md", () => {
    it("Adding documents: a file, a folder and a program", async function () {
      await wordAndPdf(this);
      await writeFile(
        join(folder, "documents.jsonl"),
        `${JSON.stringify({ collection: "articles", path: "a", title: "An article", text: THESIS })}\n`,
      );
      await shell(block("docs/corpus.md > Adding documents > sh"), { HOME: folder });
    });

    it("Your own program", async () => {
      const { databaseUrl, opensearchNodes, opensearchIndexPrefix } = engine.options;
      const given = `const databaseUrl = ${JSON.stringify(databaseUrl)};
const opensearchNodes = ${JSON.stringify(opensearchNodes)};
async function* batchesOfDocuments() {
  yield [{ collection: "program", path: "a", title: "A text", text: ${JSON.stringify(THESIS)} }];
}
`;
      const text = block("docs/corpus.md > Your own program > ts");
      await program(
        "pipeline.ts",
        given + text.replace('"similarity-"', JSON.stringify(opensearchIndexPrefix)),
      );
    });
  });

  it("docs/cluster.md: the number of replicas is changed", async () => {
    const { opensearchNodes, opensearchIndexPrefix } = engine.options;
    const output = await shell(
      block("docs/cluster.md > Several OpenSearch nodes > sh").replace("similarity-", opensearchIndexPrefix),
      { OS: opensearchNodes[0] ?? "" },
    );
    expect(JSON.parse(output)).to.deep.equal({ acknowledged: true });
  });

  it("docs/statistics.md: files are loaded and answered", async function () {
    await copied(this, join(STATISTICS_FILES, "retractions_sample.csv"), "RW.csv");
    await copied(this, join(STATISTICS_FILES, "publications_by_country_2008_2017.csv"), "P.csv");
    const output = await shell(block("docs/statistics.md > Loading files > sh"), {
      DATABASE_URL: statistics.databaseUrl,
    });
    expect(output).to.contain('"subregion"').and.to.contain("rank,rank_in_region,");
  });

  /** A block of the documents, with the addresses of this test in place of the documented ones. */
  function block(name: string): string {
    const [found, ...more] = codeBlocks().filter((one) => nameOf(one) === name);
    expect(found, `no block ${name}`).not.to.equal(undefined);
    expect(more, name).to.deep.equal([]);
    return (found?.text ?? "")
      .replaceAll(ENGINE, engine.client.base)
      .replaceAll(STATISTICS, statistics.address);
  }

  async function program(name: string, text: string): Promise<string> {
    const exports = {
      '"similarity-check-client"': join(ROOT, "src/client/index.ts"),
      '"similarity-check"': join(ROOT, "src/index.ts"),
    };
    let linked = text;
    for (const [specifier, file] of Object.entries(exports))
      linked = linked.replace(specifier, JSON.stringify(pathToFileURL(file).href));
    await writeFile(join(folder, name), linked);
    return run(process.execPath, [name]);
  }

  function shell(text: string, environment: Record<string, string> = {}): Promise<string> {
    return run("bash", ["-e", "-c", text], environment);
  }

  async function run(name: string, args: readonly string[], environment: Record<string, string> = {}) {
    const child = spawn(name, args, {
      cwd: folder,
      env: childEnvironment({
        ...process.env,
        ...corpusEnvironment(engine.options),
        ENGINE_URL: engine.client.base,
        PATH: [join(folder, "bin"), process.env.PATH].join(delimiter),
        INIT_CWD: folder,
        ...environment,
      }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    const [output, errors] = await Promise.all(
      [child.stdout, child.stderr].map(async (stream) => Buffer.concat(await Array.fromAsync(stream))),
    );
    const status = await ended;
    expect(status, `${String(output)}\n${String(errors)}`).to.equal(0);
    return String(output);
  }

  async function wordAndPdf(context: Mocha.Context): Promise<void> {
    await copied(context, join(ODD_FILES, "testPDF.pdf"), "thesis.pdf");
    await copied(context, join(ODD_FILES, "testWORD.docx"), "source.docx");
  }

  async function copied(context: Mocha.Context, from: string, to: string): Promise<void> {
    try {
      await copyFile(from, join(folder, to));
    } catch (error) {
      if (process.env.REQUIRE_SHARED_DATA !== undefined) throw error;
      console.warn(`      ${from} is missing: this example is skipped`);
      context.skip();
    }
  }

  function needs(context: Mocha.Context, name: string): void {
    if (spawnSync(name, ["--version"], { stdio: "ignore" }).error === undefined) return;
    console.warn(`      ${name} is not installed: this example is skipped`);
    context.skip();
  }
});

/** Whether all that the document shows is in the answer; lists are compared member by member. */
function expectShown(answer: unknown, shown: unknown, path: string): void {
  if (shown === null || typeof shown !== "object") {
    expect(answer, path).to.equal(shown);
    return;
  }
  expect(typeof answer, path).to.equal("object");
  for (const [key, value] of Object.entries(shown)) {
    expect(answer, path).to.have.property(key);
    expectShown(Object.entries(answer ?? {}).find(([name]) => name === key)?.[1], value, `${path}.${key}`);
  }
}
