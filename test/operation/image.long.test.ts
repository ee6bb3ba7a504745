import { type ChildProcess, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import packageJson from "../../package.json" with { type: "json" };
import { freePorts } from "../../tools/stores/daemon.ts";
import { documentFiles, readDocument } from "../docs/code-blocks.ts";
import { EngineClient } from "../support/client.ts";
import { type Ended, ImageTree } from "../support/processes/image-tree.ts";
import { outputUntilServing } from "../support/processes/service-process.ts";
import { freshSettings } from "../support/stores.ts";
import { prose } from "../support/work/prose.ts";

const LIMIT_MS = 15 * 60_000;

/** Pages for people who change the program. */
const FOR_DEVELOPERS = /contributing|benchmarks|ablation|algorithm|decisions/;

/** docs/docker.md says of these that they run in a checkout: they build, test or measure the program or start stores themselves. */
const IN_A_CHECKOUT =
  /^(?:build|bench|cluster$|evaluate|fuzz|test|load$|soak$|golden|ablate|screenshots|generate)/;

/** They have no help and begin their work; each is run below, except that of the encoder, which every start does. */
const WITHOUT_HELP = ["encoder", "example:load", "sbom"];

const THESES = [0, 1, 2].map((at) => prose(7_000 + at, 400));
const COPY = `${prose(7_100, 60)} ${THESES[1]?.slice(300, 1_500)}`;

describe("the Docker image, as its user and with its files, without an engine", function () {
  this.timeout(LIMIT_MS);
  let folder: string;
  let mounted: string;
  let image: ImageTree;
  let settings: Readonly<Record<string, string>>;
  let served: ChildProcess | undefined;
  let client: EngineClient;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "similarity-image-"));
    image = await ImageTree.build(folder);
    const [engine, statistics] = await freePorts([undefined, undefined]);
    settings = {
      ...(await freshSettings("image")),
      ENGINE_PORT: String(engine),
      STATISTICS_PORT: String(statistics),
      SAMPLE_CORPUS: "off",
      SEMANTIC: "off",
      LOG_LEVEL: "warn",
    };
    // As a folder that Docker mounts read-only.
    mounted = mkdtempSync(join(tmpdir(), "similarity-mounted-"));
    for (const [at, text] of THESES.entries()) writeFileSync(join(mounted, `thesis-${at}.txt`), text);
    writeFileSync(join(mounted, "copy.txt"), COPY);
    const line = { path: "line", title: "A line", text: prose(7_200, 200), language: "en" };
    writeFileSync(join(mounted, "lines.jsonl"), `${JSON.stringify(line)}\n`);
    chmodSync(mounted, 0o555);
    served = image.command(settings);
    await outputUntilServing(served);
    client = new EngineClient(`http://127.0.0.1:${engine}`);
  });
  after(async () => {
    if (served !== undefined && served.exitCode === null) {
      served.kill("SIGKILL");
      await once(served, "exit");
    }
    // Its owner may have lost the right to write.
    for (const one of [folder, mounted]) spawnSync("chmod", ["-R", "u+w", one]);
    for (const one of [folder, mounted]) rmSync(one, { recursive: true, force: true });
  });

  /** Runs `npm run …` as the documents say, silently. */
  async function npm(command: string, ...args: readonly string[]): Promise<string> {
    return succeeded(command, await image.exec("npm", ["run", "-s", command, "--", ...args], settings));
  }

  it("lets the user write to the volume and to no file of the program", async () => {
    const written = await image.exec("sh", ["-c", 'touch "$DATA_DIR/a" && rm "$DATA_DIR/a"'], settings);
    expect(written.status, written.stderr).to.equal(0);
    for (const place of [".", "node_modules", "src", "dist/pages"]) {
      const { status, stderr } = await image.exec("touch", [join(place, "a")], settings);
      expect(status, place).not.to.equal(0);
      expect(stderr).to.match(/Permission denied/);
    }
  });

  it("serves by its command, and its health check tells so", async () => {
    expect((await client.request("/ready")).status).to.equal(200);
    expect((await client.request("/")).status).to.equal(200);
    succeeded("health check", await image.health(settings));
    const [closed] = await freePorts([undefined]);
    const elsewhere = { ENGINE_PORT: String(closed), STATISTICS_PORT: String(closed) };
    expect((await image.health({ ...settings, ...elsewhere })).status).to.equal(1);
  });

  it("ingests a mounted folder and checks a mounted file", async () => {
    await npm("ingest", mounted, "--language", "en");
    const { report } = JSON.parse(await npm("check", join(mounted, "copy.txt"), "--json"));
    expect(report.sources).not.to.deep.equal([]);
    expect(report.coverage).to.equal("full");
  });

  it("runs the other commands of the documents", async () => {
    await npm("example:load", join(mounted, "lines.jsonl"));
    await npm("corpus:refresh");
    await npm("corpus:frequencies");
    await npm("corpus:rebuild");
    await npm("corpus:verify");
    await npm("statistics:demo");
    expect(JSON.parse(await npm("sbom")).bomFormat).to.equal("CycloneDX");
  });

  it("has all commands that the documents give to people who run the service", async () => {
    const commands = documentedCommands();
    expect(commands).to.include.members(["ingest", "ingest:sql", "corpus:rebuild", "statistics:refresh"]);
    for (const command of commands.filter((one) => !WITHOUT_HELP.includes(one)))
      expect(await npm(command, "--help"), command).to.match(/^Usage: npm run/);
  });

  it("stops at a SIGTERM in an orderly way", async () => {
    const ended = once(served ?? expect.fail(), "exit");
    served?.kill("SIGTERM");
    expect(await ended).to.deep.equal([0, null]);
  });
});

function documentedCommands(): string[] {
  const scripts: Readonly<Record<string, string>> = packageJson.scripts;
  const found = documentFiles()
    .filter((file) => !FOR_DEVELOPERS.test(file))
    .flatMap((file) => [...readDocument(file).matchAll(/npm run (?:-s )?([a-z][a-z:-]*[a-z])/g)])
    .map(([, name = ""]) => name);
  return [...new Set(found)].filter((name) => scripts[name] !== undefined && !IN_A_CHECKOUT.test(name));
}

function succeeded(name: string, { status, stdout, stderr }: Ended): string {
  expect(status, `${name}: ${stdout}${stderr}`).to.equal(0);
  expect(stderr, name).not.to.match(/EACCES|npm (?:warn|error)/);
  return stdout;
}
