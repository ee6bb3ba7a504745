// Runs on the Node.js that the user has (20 or newer): installs what is missing, then hands over to the Node.js 24
// that the npm package `node` brings, on which the program's TypeScript files run as they are.
//
//   node scripts/launch.mjs start | test [mocha's arguments] | test-system [mocha's arguments] | run SCRIPT [its arguments]
//
// It writes to the standard error only: the standard output belongs to what it starts.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_MAJOR_MIN = 20;
const NODE_MAJOR = 24;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const lockFile = join(root, "package-lock.json");
/** Holds the hash of the lock file that was installed; it goes when npm clears the folder it lies in. */
const stamp = join(modules, ".installed-lock");
const bin = join(modules, ".bin");
const mocha = join(modules, "mocha", "bin", "mocha.js");
const node = join(bin, process.platform === "win32" ? "node.cmd" : "node");

/** The tests that take minutes: `npm test` leaves them out. */
const LONG_TESTS = "test/system/**/*.long.test.ts";

/** Percent of the lines of src/core that the tests have to run. */
const CORE_LINES_COVERED_MIN = 95;

/** How long a signal that reaches us twice (from the terminal and from npm) counts as one. */
const SAME_SIGNAL_MS = 1_000;

/** How often we look whether the parent still lives: soon enough for a person, and next to nothing to do. */
const PARENT_POLL_MS = 250;

/** A shell reports a program that a signal ended as 128 + the signal's number. */
const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/** The commands and scripts that need the pages. */
const SERVING = new Set(["start", "test", "run screenshots", "run bench/report-page"]);

await main(process.argv.slice(2));

async function main([command, ...args]) {
  checkNode();
  checkCommand(command, args);
  await install();
  if (SERVING.has(command) || SERVING.has(`${command} ${args[0]}`)) await buildPages();
  if (command === "start") process.exitCode = await handOver([join(root, "src", "main.ts"), ...args]);
  else if (command === "test") process.exitCode = await runTests(args);
  else if (command === "test-system") process.exitCode = await runLongTests(args);
  else process.exitCode = await handOver([scriptFile(args[0]), ...args.slice(1)]);
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

/** Brings node_modules up to package-lock.json; of several launches at once, one installs and the others wait. */
async function install() {
  if (isInstalled()) return;
  await withInstallLock(async () => {
    if (isInstalled()) return;
    if (!matchesLock()) {
      // Warnings would mostly say that packages want a newer Node.js than this one: they will not run on this one.
      say("Installing the packages (npm ci)");
      const seconds = await npm(["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]);
      say(`Installed the packages (${seconds} s)`);
    }
    // Some versions of npm do not run the install script by which the package `node` fetches its program.
    if (!hasNode()) {
      say(`Installing Node.js ${NODE_MAJOR} (npm rebuild node)`);
      await npm(["rebuild", "node"]);
    }
    if (!hasNode()) {
      fail(
        `The npm package "node" did not bring Node.js ${NODE_MAJOR}. Look at the output of: npm rebuild node --foreground-scripts`,
      );
    }
    writeFileSync(stamp, lockHash());
  });
}

/** Bundles the pages for browsers anew when a file that went into them has changed. */
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

function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === lockHash() && hasNode();
}

function lockHash() {
  return fileHash(lockFile);
}

function fileHash(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function hasNode() {
  const shown = spawnSync(node, ["--version"], { encoding: "utf8", shell: process.platform === "win32" });
  return shown.status === 0 && shown.stdout.startsWith(`v${NODE_MAJOR}.`);
}

/** Whether npm's own record says that what the lock file asks for is installed already, by a plain npm install. */
function matchesLock() {
  const record = join(modules, ".package-lock.json");
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages ?? {};
  const wanted = JSON.parse(readFileSync(lockFile, "utf8")).packages ?? {};
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === "") return true;
    const found = installed[path];
    if (found === undefined) return optional === true;
    return found.version === version && found.integrity === integrity && existsSync(join(root, path));
  });
}

/** Runs npm with its output on our standard error; resolves to the seconds it took. */
async function npm(args) {
  const started = Date.now();
  // Started by npm, we know which npm that was; otherwise the one on the PATH.
  const own = process.env.npm_execpath;
  const [command, first] = own?.endsWith(".js") ? [process.execPath, [own]] : ["npm", []];
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  const status = await ended(child);
  if (status !== 0)
    fail(`npm ${args[0]} failed (status ${status}). Its message above says why; is the network there?`);
  return Math.round((Date.now() - started) / 1000);
}

async function withInstallLock(work) {
  const lock = join(root, ".data", "install.lock");
  mkdirSync(dirname(lock), { recursive: true });
  let told = false;
  while (!tryLock(lock)) {
    if (!told) say("Waiting for another launch that installs the packages");
    told = true;
    await new Promise((done) => setTimeout(done, 300));
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** A lock whose holder was killed is removed; the next attempt takes it. */
function tryLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    process.once("exit", () => rmSync(lock, { force: true }));
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const holder = existsSync(lock) ? Number(readFileSync(lock, "utf8")) : 0;
  if (holder > 0 && !lives(holder)) rmSync(lock, { force: true });
  return false;
}

function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/**
 * Runs mocha with V8's own coverage and prints the summary afterwards. (Under c8 as a parent, a Ctrl-C would reach
 * mocha twice, which makes it leave the stores behind.)
 */
async function runTests(args) {
  const coverage = join(root, "coverage");
  const raw = join(coverage, "tmp");
  rmSync(raw, { recursive: true, force: true });
  mkdirSync(raw, { recursive: true });
  const suite = namesFiles(args) ? settingsWithoutSuite(coverage) : [];
  const status = await handOver([mocha, ...suite, ...args], { NODE_V8_COVERAGE: raw });
  const c8 = join(modules, "c8", "bin", "c8.js");
  await handOver([c8, "report"]);
  if (status !== 0 || args.length > 0) return status;
  // The rules and algorithms: what is not run there is not known to work. Only the whole suite can show it.
  return handOver([
    c8,
    "check-coverage",
    "--include",
    "src/core/**",
    "--lines",
    String(CORE_LINES_COVERED_MIN),
  ]);
}

/** Runs the long tests, or those of them that are named; without coverage, which would weigh on what they measure. */
function runLongTests(args) {
  const files = namesFiles(args) ? [] : [LONG_TESTS];
  return handOver([mocha, ...settingsWithoutSuite(join(root, ".data")), ...files, ...args]);
}

function namesFiles(args) {
  return args.some((arg) => !arg.startsWith("-") && (arg.includes("*") || existsSync(join(root, arg))));
}

/** Files that are named replace the suite; mocha by itself would add the suite of its settings to them. */
function settingsWithoutSuite(folder) {
  const { spec: _, ignore: __, ...settings } = JSON.parse(readFileSync(join(root, ".mocharc.json"), "utf8"));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "mocharc.json");
  writeFileSync(file, JSON.stringify(settings));
  return ["--config", file];
}

/** Runs Node.js 24 on the arguments, with the installed programs first on its PATH; resolves to its exit status. */
function handOver(args, extraEnv = {}) {
  const env = { ...process.env, ...extraEnv, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };
  return ended(spawn(node, args, { cwd: root, env, stdio: "inherit", shell: process.platform === "win32" }));
}

/** Passes signals on to the child while it runs; resolves to its exit status, 128 + number after a signal. */
function ended(child) {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  let lastMs = Number.NEGATIVE_INFINITY;
  const forward = (signal) => {
    const repeated = Date.now() - lastMs < SAME_SIGNAL_MS;
    lastMs = Date.now();
    // A terminal sends its Ctrl-C to the whole process group: the child has it already.
    if (!repeated && !(signal === "SIGINT" && process.stdin.isTTY)) child.kill(signal);
  };
  const watch = watchParent(() => {
    if (lastMs === Number.NEGATIVE_INFINITY) forward("SIGTERM");
  });
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearInterval(watch);
      for (const name of signals) process.off(name, forward);
      resolve(code ?? 128 + (SIGNAL_NUMBERS[signal] ?? 0));
    });
  });
}

/**
 * Calls back when the parent is gone. npm starts us through a shell, which dies of a SIGTERM without passing it on;
 * started by anything else, we may well outlive the parent.
 */
function watchParent(gone) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    gone();
  }, PARENT_POLL_MS);
  return watch;
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function fail(message) {
  say(message);
  process.exit(1);
}
