import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./places.mjs";
import { say } from "./say.mjs";

/** Runs `work` while no other launch installs or builds; waits for one that does. */
export async function withInstallLock(work) {
  const lock = join(root, ".data", "install.lock");
  mkdirSync(dirname(lock), { recursive: true });
  let told = false;
  while (!tryLock(lock)) {
    if (!told) say("Waiting for another launcher that is installing the packages");
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
