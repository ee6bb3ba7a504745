import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { freePorts } from "../../tools/stores/daemon.ts";
import { ServiceProcess } from "../support/processes/service-process.ts";
import { freshSettings } from "../support/stores.ts";

const PROBE_INTERVAL_MS = 500;

/** Longer than two probes take to notice, also on a machine that does other work. */
const DRAIN_SECONDS = 15;

const CLIENTS = 8;

/** Sends requests to the services that are ready, over connections that it keeps, and repeats none. */
class LoadBalancer {
  readonly failures: string[] = [];
  answered = 0;
  readonly #ports: readonly number[];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #ready = new Map<number, boolean>();
  readonly #work: Promise<void>[];
  #stopped = false;

  constructor(ports: readonly number[]) {
    this.#ports = ports;
    this.#work = [this.#probe(), ...Array.from({ length: CLIENTS }, (_, client) => this.#send(client))];
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#work);
    this.#agent.destroy();
  }

  /** Waits until it knows that a service is ready, or is not. */
  async noticed(port: number, ready: boolean): Promise<void> {
    while (this.#ready.get(port) !== ready) await sleep(20);
  }

  async #probe(): Promise<void> {
    while (!this.#stopped) {
      for (const port of this.#ports) {
        const status = await statusOf({ port, path: "/ready" }).catch(() => 0);
        this.#ready.set(port, status === 200);
      }
      await sleep(PROBE_INTERVAL_MS);
    }
  }

  async #send(client: number): Promise<void> {
    for (let turn = client; !this.#stopped; turn += 1) {
      const ready = this.#ports.filter((port) => this.#ready.get(port) === true);
      const port = ready[turn % ready.length];
      if (port === undefined) {
        await sleep(20);
        continue;
      }
      const outcome = await statusOf({ port, path: "/v1/checks", agent: this.#agent }).catch(
        (error: Error) => error.message,
      );
      if (outcome === 200) this.answered += 1;
      else this.failures.push(`${port}: ${outcome}`);
      await sleep(5);
    }
  }
}

describe("two services that are restarted one after the other behind a load balancer", function () {
  this.timeout(10 * 60_000);
  const services: ServiceProcess[] = [];
  let balancer: LoadBalancer | undefined;

  after(async () => {
    await balancer?.stop();
    for (const service of services) await service.end("SIGKILL");
  });

  it("lose no request: a SIGTERM leaves it the time to notice", async () => {
    const environment = {
      ...(await freshSettings()),
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      SEMANTIC: "off",
      LOG_LEVEL: "warn",
    };
    const ports = await freePorts([undefined, undefined]);
    const start = (port: number) => ServiceProcess.start({ ...environment, ENGINE_PORT: String(port) });
    for (const port of ports) services.push(await start(port));
    balancer = new LoadBalancer(ports);
    for (const port of ports) await balancer.noticed(port, true);
    for (const [at, port] of ports.entries()) {
      const ended = services[at]?.end("SIGTERM");
      await balancer.noticed(port, false);
      for (const address of [`http://127.0.0.1:${port}`, services[at]?.statisticsAddress]) {
        const response = await fetch(`${address}/ready`);
        expect([response.status, await response.json()]).to.deep.equal([
          503,
          { ready: false, checks: { service: "stopping" } },
        ]);
      }
      expect(await ended).to.equal(0);
      services[at] = await start(port);
      await balancer.noticed(port, true);
    }
    await balancer.stop();
    expect(balancer.failures).to.deep.equal([]);
    expect(balancer.answered).to.be.above(100);
  });

  it("stop at once after a Ctrl-C", async () => {
    const [service] = services;
    expect(await service?.end("SIGINT")).to.equal(0);
    expect(service?.output.join("\n"))
      .to.match(/^Stopping: accepting no new work/m)
      .and.not.to.match(/no longer ready/);
  });
});

function statusOf(options: { port: number; path: string; agent?: Agent }): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", agent: false, ...options }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
      response.once("error", reject);
    }).once("error", reject);
  });
}
