// Runs on the Node.js that the user has (20 or newer): installs missing packages, then hands over to the Node.js 24
// that the npm package `node` brings, on which the program's TypeScript files run as they are.
//
//   node scripts/launch.mjs start | test [mocha's arguments] | test-system [mocha's arguments] | run SCRIPT [its arguments]
//
// It writes to the standard error only: the standard output belongs to the programs that it starts.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { checkPorts } from "../tools/launch/check-ports.mjs";
import { checkSettings } from "../tools/launch/check-settings.mjs";
import { fileHash } from "../tools/launch/file-hash.mjs";
import { endOf, handOver, startNode } from "../tools/launch/hand-over.mjs";
import { install, isInstalled } from "../tools/launch/install.mjs";
import { withInstallLock } from "../tools/launch/install-lock.mjs";
import { modules, root } from "../tools/launch/places.mjs";
import { fail } from "../tools/launch/say.mjs";
import { supervise } from "../tools/launch/supervise.mjs";

const NODE_MAJOR_MIN = 20;

const mocha = join(modules, "mocha", "bin", "mocha.js");
const c8 = join(modules, "c8", "bin", "c8.js");

/** The tests that start programs again and again or take more than 40 seconds: `npm test` leaves them out. */
const LONG_TESTS = "test/**/*.long.test.ts";

/** Percent of the lines of the pure folders that the tests have to run. */
const PURE_LINES_COVERED_MIN = 95;

/** The rules and algorithms, and their tests, which need no stores. */
const PURE_FOLDERS = ["src/text", "src/matching/words", "src/matching/meaning", "src/report/figures"];
const PURE_TESTS = ["text", "matching", "report"].map((folder) => `test/${folder}/**/*.test.ts`);

/** Three files at a time for two cores: a test spends much of its time waiting for a job, an event or a start. */
const AT_ONCE = ["--parallel", "--jobs", "3"];

/** The commands and scripts that need the pages. */
const SERVING = new Set(["start", "test", "run screenshots", "run test-versions", "run bench/report-page"]);

/**
 * By default, V8 collects garbage late: after up to 128 MB of new objects, and when the others take several
 * times the memory in use. These flags make it collect earlier, as in the Dockerfile; docs/decisions/performance.md has the figures.
 */
const SERVICE_FLAGS = ["--max-semi-space-size=8", "--heap-growing-percent=40", "--no-parallel-scavenge"];

/** For the same reason, and later, as it makes more that is soon of no use: with the service's flags it takes a quarter longer. */
const INGEST_FLAGS = ["--heap-growing-percent=50"];
const SCRIPT_FLAGS = { ingest: INGEST_FLAGS, "ingest-index": INGEST_FLAGS, "ingest-sql": INGEST_FLAGS };

/** The most pools from which glibc gives memory to threads. Its default, eight for each core, takes 40 MB more. As in the Dockerfile. */
const MALLOC_ARENAS = "2";

await main(process.argv.slice(2));

async function main([command, ...args]) {
  checkNode();
  checkCommand(command, args);
  if (command === "start") await checkPorts(process.env);
  if (command === "start" && !isInstalled()) await checkSettings(process.env);
  await install();
  if (command === "start" && !arePagesBuilt()) await checkGivenStores();
  if (SERVING.has(command) || SERVING.has(`${command} ${args[0]}`)) await buildPages();
  if (command === "start") {
    process.env.MALLOC_ARENA_MAX ??= MALLOC_ARENAS;
    process.exitCode = await supervise(
      [...SERVICE_FLAGS, join(root, "scripts", "start.ts"), ...args],
      [join(root, "tools", "launch", "stop-unused-stores.ts")],
    );
  } else if (command === "test") process.exitCode = await runTests(args);
  else if (command === "test-system") process.exitCode = await runLongTests(args);
  else
    process.exitCode = await handOver([
      ...(SCRIPT_FLAGS[args[0]] ?? []),
      scriptFile(args[0]),
      ...args.slice(1),
    ]);
}

function checkNode() {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= NODE_MAJOR_MIN) return;
  fail(
    `Similarity Check needs Node.js ${NODE_MAJOR_MIN} or newer, and this is ${process.version}. Install a newer Node.js.`,
  );
}

function checkCommand(command, args) {
  const scripts = readdirSync(join(root, "scripts"), { recursive: true })
    .map((name) => name.split(sep).join("/"))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.slice(0, -3));
  if (["start", "test", "test-system"].includes(command)) return;
  if (command === "run" && scripts.includes(args[0])) return;
  fail(
    `Usage: node scripts/launch.mjs start | test [FILE…] | test-system [FILE…] | run SCRIPT [ARGUMENT…]\nScripts: ${scripts.join(", ")}`,
  );
}

function scriptFile(name) {
  return join(root, "scripts", `${name}.ts`);
}

/** The service checks them as well, but building the pages comes first. */
async function checkGivenStores() {
  const status = await handOver([join(root, "tools", "launch", "check-given-stores.ts")]);
  if (status !== 0) process.exit(status);
}

/** Bundles the pages for browsers again when one of their sources has changed. */
async function buildPages() {
  if (arePagesBuilt()) return;
  await withInstallLock(async () => {
    if (arePagesBuilt()) return;
    if ((await handOver([scriptFile("build-pages")])) !== 0)
      fail("The pages could not be built; the message above says why.");
  });
}

function arePagesBuilt() {
  const record = join(root, "dist", "pages", "built-from.json");
  if (!existsSync(record)) return false;
  const inputs = Object.entries(JSON.parse(readFileSync(record, "utf8")));
  return inputs.every(([path, hash]) => existsSync(join(root, path)) && fileHash(join(root, path)) === hash);
}

/**
 * Runs the whole suite, or the named files with their coverage. Of the suite, only the tests of the rules and algorithms are run with
 * coverage, because only these folders have a minimum. Coverage costs half as much processor time again.
 */
async function runTests(args) {
  requireFiles(args);
  const coverage = join(root, "coverage");
  if (namesFiles(args))
    return (await runCovered([...settingsWithout(["spec", "ignore"], coverage), ...args])).status;
  const withoutStores = settingsWithout(["spec", "ignore", "require"], coverage);
  const folders = PURE_FOLDERS.flatMap((folder) => ["--include", `${folder}/**`]);
  const pure = await runCovered(
    [...withoutStores, ...ignoring([LONG_TESTS]), ...AT_ONCE, ...PURE_TESTS, ...args],
    folders,
  );
  if (pure.isStopping) return pure.status;
  const rest = await handOver([mocha, ...AT_ONCE, ...ignoring(PURE_TESTS), ...args]);
  if (pure.status !== 0 || rest !== 0 || args.length > 0) return pure.status || rest;
  // Code that no test runs may not work.
  return handOver([c8, "check-coverage", ...folders, "--lines", String(PURE_LINES_COVERED_MIN)]);
}

/**
 * Runs mocha with V8's own coverage and prints the summary afterwards. (Under c8 as a parent, a Ctrl-C would reach
 * mocha twice, which makes it leave the stores behind.)
 * @returns how mocha ended; see `endOf`
 */
async function runCovered(args, folders = []) {
  const raw = join(root, "coverage", "tmp");
  rmSync(raw, { recursive: true, force: true });
  mkdirSync(raw, { recursive: true });
  // V8 does not count every line of code from the cache. The programs that tests start still use it.
  const environment = { NODE_V8_COVERAGE: raw, NODE_DISABLE_COMPILE_CACHE: "1" };
  const ended = await endOf(startNode([mocha, ...args], { extraEnv: environment }));
  await handOver([c8, "report", ...folders]);
  return ended;
}

function ignoring(files) {
  return files.flatMap((file) => ["--ignore", file]);
}

/** Runs the long tests, or only the named ones. They run without coverage, which would distort their measurements. */
function runLongTests(args) {
  requireFiles(args);
  const files = namesFiles(args) ? [] : [LONG_TESTS];
  return handOver([mocha, ...settingsWithout(["spec", "ignore"], join(root, ".data")), ...files, ...args]);
}

/** A file that is not there would be read as no file, and the whole suite would run. */
function requireFiles(args) {
  const missing = args.find(
    (arg) => arg.endsWith(".ts") && !arg.includes("*") && !existsSync(join(root, arg)),
  );
  if (missing !== undefined) fail(`There is no test file ${missing}.`);
}

function namesFiles(args) {
  return args.some((arg) => !arg.startsWith("-") && (arg.includes("*") || existsSync(join(root, arg))));
}

/** Files that are named replace the suite; mocha by itself would add the suite of its settings to them. */
function settingsWithout(names, folder) {
  const all = JSON.parse(readFileSync(join(root, ".mocharc.json"), "utf8"));
  const settings = Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "mocharc.json");
  writeFileSync(file, JSON.stringify(settings));
  return ["--config", file];
}
