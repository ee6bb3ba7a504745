import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileHash } from "./file-hash.mjs";
import { endOf } from "./hand-over.mjs";
import { withInstallLock } from "./install-lock.mjs";
import { modules, node, root } from "./places.mjs";
import { fail, say } from "./say.mjs";

const NODE_MAJOR = 24;

const lockFile = join(root, "package-lock.json");

/** Holds the hash of the lock file that was installed; npm deletes it when it clears the folder. */
const stamp = join(modules, ".installed-lock");

/** Brings node_modules up to package-lock.json; of several launches at once, one installs and the others wait. */
export async function install() {
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
        `The npm package "node" did not install Node.js ${NODE_MAJOR}. Look at the output of: npm rebuild node --foreground-scripts`,
      );
    }
    writeFileSync(stamp, lockHash());
  });
}

export function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === lockHash() && hasNode();
}

function lockHash() {
  return fileHash(lockFile);
}

function hasNode() {
  const shown = spawnSync(node, ["--version"], { encoding: "utf8", shell: process.platform === "win32" });
  return shown.status === 0 && shown.stdout.startsWith(`v${NODE_MAJOR}.`);
}

/** Whether npm's own record says that a plain npm install has already installed the packages of the lock file. */
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
  const { status } = await endOf(child);
  if (status !== 0)
    fail(`npm ${args[0]} failed (status ${status}). Its message above says why; is the network there?`);
  return Math.round((Date.now() - started) / 1000);
}
