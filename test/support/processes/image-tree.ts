import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { childEnvironment } from "./child-environment.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** The user `node` of the image, and its group. */
const IMAGE_USER = { uid: 1000, gid: 1000 } as const;

/** `npm ci` took 25 s with a filled cache. */
const BUILD_TIMEOUT_MS = 10 * 60_000;

/** The stage whose files this checkout has as well. */
const BUILT_HERE = "pages";

type Instruction = { readonly name: string; readonly value: string };
type Stage = { readonly name: string; readonly instructions: readonly Instruction[] };
export type Ended = { readonly status: number; readonly stdout: string; readonly stderr: string };

/**
 * The files that the Dockerfile puts into the image, with the rights that its user has: all can be read, and only the volume and the
 * user's own folder can be written to. It needs no container engine. System packages are those of this machine.
 */
export class ImageTree {
  readonly app: string;
  readonly data: string;
  readonly #folder: string;
  readonly #last: Stage;

  private constructor(folder: string, last: Stage) {
    this.#folder = folder;
    this.#last = last;
    this.app = join(folder, "app");
    this.data = join(folder, "data");
  }

  /** @param folder that exists and is empty. */
  static async build(folder: string): Promise<ImageTree> {
    const stages = stagesOf(readFileSync(join(ROOT, "Dockerfile"), "utf8"));
    const last = stages.at(-1);
    if (last === undefined) throw new Error("the Dockerfile has no stage");
    mkdirSync(join(folder, "bin"));
    copyFileSync(process.execPath, join(folder, "bin", "node"));
    for (const stage of stages.filter(({ name }) => name !== BUILT_HERE))
      await buildStage(folder, stage, stage === last);
    const tree = new ImageTree(folder, last);
    for (const own of [tree.data, join(folder, "home")]) {
      mkdirSync(own);
      if (isRoot()) chownSync(own, IMAGE_USER.uid, IMAGE_USER.gid);
    }
    chmodSync(folder, 0o755);
    // The owner could write to them, so a test that is not run by root takes that right away.
    if (!isRoot()) await promisify(execFile)("chmod", ["-R", "a-w", tree.app]);
    return tree;
  }

  /** Starts the command of the image, which serves. */
  command(settings: Readonly<Record<string, string>>): ChildProcess {
    const [command = "", ...args] = wordsOf(this.#instruction("CMD"));
    return this.#spawn(command, args, settings);
  }

  /** Runs the health check of the image. */
  health(settings: Readonly<Record<string, string>>): Promise<Ended> {
    const [command = "", ...args] = wordsOf(this.#instruction("HEALTHCHECK").replace(/^.*?CMD /s, ""));
    return this.#run(command, args, settings);
  }

  /** Runs a program as `docker compose exec service` does. */
  exec(command: string, args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Ended> {
    return this.#run(command, args, settings);
  }

  #instruction(name: string): string {
    return this.#last.instructions.find((one) => one.name === name)?.value ?? "";
  }

  async #run(command: string, args: readonly string[], settings: Readonly<Record<string, string>>) {
    const child = this.#spawn(command, args, settings);
    let [stdout, stderr] = ["", ""];
    child.stdout?.on("data", (data) => {
      stdout += data;
    });
    child.stderr?.on("data", (data) => {
      stderr += data;
    });
    return new Promise<Ended>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => resolve({ status: code ?? -1, stdout, stderr }));
    });
  }

  #spawn(command: string, args: readonly string[], settings: Readonly<Record<string, string>>) {
    return spawn(command, [...args], {
      cwd: this.app,
      env: childEnvironment({
        ...environmentOf(this.#last),
        HOME: join(this.#folder, "home"),
        PATH: pathOf(this.#folder),
        NODE_COMPILE_CACHE: undefined,
        DATA_DIR: this.data,
        ...settings,
      }),
      stdio: ["ignore", "pipe", "pipe"],
      ...(isRoot() && IMAGE_USER),
    });
  }
}

/** The last stage is the folder itself, the others are folders below. What the last one runs is for the system, so it is left out. */
async function buildStage(folder: string, { name, instructions }: Stage, isLast: boolean): Promise<void> {
  const app = join(isLast ? folder : join(folder, name), "app");
  mkdirSync(app, { recursive: true });
  for (const { name: instruction, value } of instructions) {
    if (instruction === "COPY") copy(folder, app, value);
    if (instruction === "RUN" && !isLast)
      await promisify(execFile)("sh", ["-ec", value], {
        cwd: app,
        env: childEnvironment({ PATH: pathOf(folder), npm_config_prefer_offline: "true" }),
        timeout: BUILD_TIMEOUT_MS,
      });
  }
}

function copy(folder: string, app: string, value: string): void {
  const words = value.split(/\s+/);
  const from = /^--from=(.+)$/.exec(words[0] ?? "")?.[1];
  const paths = from === undefined ? words : words.slice(1);
  const target = paths.at(-1) ?? "";
  for (const path of paths.slice(0, -1)) {
    const source =
      from === undefined || from === BUILT_HERE ? path.replace(/^\/app\//, "") : `${from}${path}`;
    const root = from === undefined || from === BUILT_HERE ? ROOT : folder;
    const to = join(app, target.endsWith("/") ? join(target, path.split("/").at(-1) ?? "") : target);
    cpSync(join(root, source), to, { recursive: true, verbatimSymlinks: true });
  }
}

function stagesOf(dockerfile: string): Stage[] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .filter(Boolean);
  const stages: { name: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = "", value = ""] = /^(\w+)\s+(.*)$/s.exec(line.trim()) ?? [];
    if (name === "FROM") stages.push({ name: /\sAS\s(\w+)$/i.exec(value)?.[1] ?? "", instructions: [] });
    else stages.at(-1)?.instructions.push({ name, value });
  }
  return stages;
}

function environmentOf({ instructions }: Stage): Record<string, string> {
  const values = instructions.filter(({ name }) => name === "ENV").map(({ value }) => value);
  return Object.fromEntries(
    [...values.join(" ").matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]),
  );
}

function wordsOf(json: string): string[] {
  return JSON.parse(json);
}

/** Node.js of the image comes first; npm and Python are those of this machine. */
function pathOf(folder: string): string {
  return [join(folder, "bin"), process.env.PATH ?? ""].join(delimiter);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
