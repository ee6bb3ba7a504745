import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { storeUnavailable } from "../../src/platform/domain-error.ts";
import { lastLines, runCommand, withProgress } from "../../src/platform/run-command.ts";

export type StoreName = "postgres" | "opensearch";

/** A running engine answers in a fraction of a second; one that hangs must not hold up the start. */
const ENGINE_TIMEOUT_MS = 5_000;

/** The images are 1.5 GB together: ten minutes at 2.5 MB/s. */
const UP_TIMEOUT_MS = 15 * 60_000;

/** Docker waits 10 s for each container before it kills it. */
const STOP_TIMEOUT_MS = 60_000;

const CONTAINER_PORT = { postgres: "5432", opensearch: "9200" } as const satisfies Record<StoreName, string>;

/** Whether a Docker engine answers and has the Compose plugin. */
export async function composeAnswers(): Promise<boolean> {
  if (!(await dockerAnswers())) return false;
  return (await runCommand("docker", ["compose", "version"], { timeoutMs: ENGINE_TIMEOUT_MS })).ok;
}

/** Whether a Docker engine answers within five seconds. */
export async function dockerAnswers(): Promise<boolean> {
  return (await runCommand("docker", ["info"], { timeoutMs: ENGINE_TIMEOUT_MS })).ok;
}

/** The stores of one data folder under Docker Compose. Each data folder is a separate Compose project. */
export class ComposeStores {
  readonly #file: string;
  readonly #project: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(file: string, dataDir: string, opensearchHeap: string) {
    this.#file = file;
    this.#project = `similarity-check-${createHash("sha256").update(dataDir).digest("hex").slice(0, 8)}`;
    this.#env = {
      OPENSEARCH_MEMORY: memoryFor(opensearchHeap),
      ...process.env,
      OPENSEARCH_HEAP: opensearchHeap,
    };
  }

  /** Starts the services and waits until they are healthy. Returns those that did not run before. */
  async up(
    services: readonly StoreName[],
    say: (line: string) => void,
    signal?: AbortSignal,
  ): Promise<StoreName[]> {
    const listed = await this.#compose(
      ["ps", "--status", "running", "--services"],
      ENGINE_TIMEOUT_MS,
      signal,
    );
    const running = new Set(listed.split("\n").map((line) => line.trim()));
    await withProgress("Docker Compose is starting the stores", say, () =>
      this.#compose(["up", "-d", "--wait", ...services], UP_TIMEOUT_MS, signal),
    );
    return services.filter((service) => !running.has(service));
  }

  async address(service: StoreName): Promise<string> {
    const shown = await this.#compose(["port", service, CONTAINER_PORT[service]], ENGINE_TIMEOUT_MS);
    const port = mappedPort(shown);
    if (port !== undefined) return `127.0.0.1:${port}`;
    throw storeUnavailable(`Docker Compose publishes no port for ${service}`);
  }

  /** Stops the containers; their volumes stay. */
  async stop(services: readonly string[]): Promise<void> {
    await this.#compose(["stop", ...services], STOP_TIMEOUT_MS);
  }

  async #compose(args: readonly string[], timeoutMs: number, signal?: AbortSignal): Promise<string> {
    const project = ["compose", "--project-name", this.#project, "--file", this.#file];
    const result = await runCommand("docker", [...project, ...args], { timeoutMs, env: this.#env, signal });
    if (result.ok) return result.stdout;
    const message = `docker compose ${args[0]} failed: ${lastLines(result.stderr, 3)}`;
    throw storeUnavailable(message);
  }
}

/** The limit of OpenSearch's container for a heap such as `512m` or `4g`: twice the heap, and at least the default of 2 GB. */
export function memoryFor(heap: string): string {
  const megabytes = Number.parseInt(heap, 10) * (heap.endsWith("g") ? 1024 : 1);
  return `${Math.max(2048, 2 * megabytes)}m`;
}

/** The port in the output of `docker compose port`, such as `127.0.0.1:49153` or `[::]:49153`. */
export function mappedPort(shown: string): number | undefined {
  const found = /:(\d+)\s*$/m.exec(shown);
  const port = Number(found?.[1]);
  return port > 0 ? port : undefined;
}

/** The `docker-compose.yml` of the checkout that contains `start`; undefined in an installed package. */
export function findComposeFile(start: string): string | undefined {
  const file = join(start, "docker-compose.yml");
  if (existsSync(file)) return file;
  const parent = dirname(start);
  return parent === start ? undefined : findComposeFile(parent);
}
