import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { expect } from "chai";
import packageJson from "../../package.json" with { type: "json" };
import { childEnvironment } from "../support/processes/child-environment.ts";
import { codeBlocks, documentFiles, nameOf, ROOT, readDocument } from "./code-blocks.ts";

/** A newcomer reads this much before the first result. */
const README_LINES_MAX = 200;

/** Each `--help` starts a process, on a machine that may be busy. */
const HELP_TIMEOUT_MS = 120_000;

/** How each block of code in the documents is tested; `examples.test.ts` runs those that say "run". */
const TESTED_BY: Readonly<Record<string, string>> = {
  "README.md > Start > sh": "test/system/start.long.test.ts runs `npm start`",
  "README.md > First check > sh": "run",
  "README.md > First check > json": "run",
  "README.md > In the terminal > sh": "run",
  "README.md > From your own programs > sh": "test/client/package.test.ts",
  "README.md > From your own programs > ts": "run",
  "README.md > With your own stores > sh":
    "test/access/service-role.test.ts starts a service on given stores",
  "docs/api.md > Keeping a decision > json": "test/checks/review.test.ts sends such requests",
  "docs/api.md > Comparing two texts > sh": "test/checks/comparisons/compare-files.test.ts sends such forms",
  "docs/api.md > Many texts together > sh": "test/batches/lifecycle.test.ts sends these requests",
  "docs/api.md > Webhooks > json": "test/platform/webhooks/events.test.ts receives such events",
  "docs/api.md > TypeScript and JavaScript > sh": "test/client/package.test.ts",
  "docs/api.md > TypeScript and JavaScript > ts": "run",
  "docs/api.md > Python > python": "run",
  "docs/api.md > Shell > sh": "run",
  "docs/api.md > The terminal command > sh": "run",
  "docs/configuration.md > Your own OpenSearch > sh":
    "test/platform/opensearch tests TLS, users and AWS signatures with a server",
  "docs/corpus.md > Adding documents > sh": "run",
  "docs/corpus.md > An index > sh":
    "test/corpus/ingest/records/ingest-index.long.test.ts reads such an index",
  "docs/corpus.md > A query > sh": "test/corpus/ingest/records/ingest-sql.test.ts runs such a query",
  "docs/corpus.md > Your own program > ts": "run",
  "docs/corpus.md > A repository > sh":
    "test/corpus/ingest/records/ingest-oai.test.ts harvests such a repository",
  "docs/corpus.md > Removing documents > sh": "test/corpus/upkeep/bulk-documents.test.ts selects and removes",
  "docs/corpus.md > An index or a query from a program > ts":
    "test/corpus/ingest/records/ingest-sql.test.ts and ingest-index.long.test.ts call these functions",
  "docs/cluster.md > Several OpenSearch nodes > sh": "run",
  "docs/contributing.md > Layout > text": "not a command",
  "docs/contributing.md > Tests > sh": "these are the tests",
  "docs/docker.md > Commands > sh": "test/operation/image.long.test.ts runs such commands without an engine",
  "docs/docker.md > Adding documents > sh":
    "test/operation/image.long.test.ts does the same without an engine",
  "docs/docker.md > Backup and restore > sh":
    "test/operation/compose-files.test.ts compares it with the tested backup",
  "docs/docker.md > Upgrades > sh": "test/system/upgrade.long.test.ts upgrades the program",
  "docs/docker.md > Images by digest > sh": "test/operation/compose-files.test.ts compares the names",
  "docs/upgrading.md > The upgrade > sh": "test/system/upgrade.long.test.ts does the same",
  "docs/integrations.md > Plug-ins of journals and courses > sh": "test/core-api/attacks.test.ts makes keys",
  "docs/integrations.md > Keeping and deleting > sh": "test/core-api/deletion.test.ts runs this command",
  "docs/operations.md > Backup and restore > sh":
    "test/system/backup/backup.long.test.ts and snapshot.long.test.ts do the same",
  "docs/operations.md > Standing exclusions > json":
    "test/platform/settings/config.test.ts reads such a file",
  "docs/security.md > PostgreSQL roles > sql": "test/access/service-role.test.ts",
  "docs/statistics.md > Loading files > sh": "run",
};

describe("the documents", () => {
  it("have no dead link to a file or a heading", () => {
    expect(documentFiles().flatMap(deadLinks)).to.deep.equal([]);
  });

  it(`keep the README within ${README_LINES_MAX} lines`, () => {
    expect(readDocument("README.md").split("\n").length - 1).to.be.at.most(README_LINES_MAX);
  });

  it("say of each block of code how it is tested", () => {
    const untested = codeBlocks()
      .map(nameOf)
      .filter((name) => TESTED_BY[name] === undefined && !name.endsWith(" mermaid"));
    expect(untested).to.deep.equal([]);
    const named = new Set(codeBlocks().map(nameOf));
    expect(
      Object.keys(TESTED_BY).filter((name) => !named.has(name) && !name.endsWith(" text")),
    ).to.deep.equal([]);
  });

  it("name only tests that exist", () => {
    const tests = Object.values(TESTED_BY).flatMap((how) => how.match(/\btest\/[\w./-]*\w/g) ?? []);
    expect(tests.filter((path) => !existsSync(join(ROOT, path)))).to.deep.equal([]);
  });

  it("name only commands that exist", () => {
    const scripts: Readonly<Record<string, string>> = packageJson.scripts;
    const missing = documentFiles().flatMap((file) =>
      [...readDocument(file).matchAll(/\bnpm run (?:-s |--silent )?([a-z][a-z:-]*)/g)]
        .map(([, name]) => name ?? "")
        .filter((name) => scripts[name] === undefined)
        .map((name) => `${file}: npm run ${name}`),
    );
    expect(missing).to.deep.equal([]);
  });

  it("give commands only options that their help lists", async function () {
    this.timeout(HELP_TIMEOUT_MS);
    const used = new Map<string, Set<string>>();
    for (const file of documentFiles()) {
      for (const [, name = "", rest = ""] of readDocument(file).matchAll(
        /npm run (?:-s |--silent )?([a-z][a-z:-]*) -- ([^\n`]*)/g,
      )) {
        const options = rest.split("#")[0]?.match(/--[a-z][a-z-]*/g) ?? [];
        // A program without options may have no help: it would begin its work.
        if (name.startsWith("test") || options.length === 0) continue;
        used.set(name, new Set([...(used.get(name) ?? []), ...options]));
      }
    }
    expect(used.size).to.be.above(5);
    const unknown = await Promise.all(
      [...used].map(async ([name, options]) => {
        const help = await helpOf(name);
        return [...options].filter((option) => !help.includes(option)).map((option) => `${name} ${option}`);
      }),
    );
    expect(unknown.flat()).to.deep.equal([]);
  });
});

function deadLinks(file: string): string[] {
  const text = readDocument(file).replace(/^```.*?^```$/gms, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target ?? "")
    .filter((target) => !/^https?:/.test(target) && !leadsSomewhere(file, target))
    .map((target) => `${file}: ${target}`);
}

function leadsSomewhere(file: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  const linked = path === "" ? file : normalize(join(dirname(file), path));
  if (!existsSync(join(ROOT, linked))) return false;
  return anchor === undefined || anchorsOf(linked).includes(anchor);
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(file: string): string[] {
  return [...readDocument(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

async function helpOf(name: string): Promise<string> {
  const scripts: Readonly<Record<string, string>> = packageJson.scripts;
  const script = /launch\.mjs run (\S+)/.exec(scripts[name] ?? "")?.[1] ?? "";
  const file = join(ROOT, "scripts", `${script}.ts`);
  const { stdout } = await promisify(execFile)(process.execPath, [file, "--help"], {
    env: childEnvironment(),
  });
  return stdout;
}
