import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type StepOnTheWay, StepWatch } from "../work/step-watch.ts";

/**
 * A connection to a store that can be cut and mended, so that a test can take the store away from one service only, and
 * that can be stopped at one request.
 */
export class StoreLink {
  /** The store's URL, by way of this link. */
  readonly url: string;
  readonly #port: number;
  readonly #sockets: Set<Socket>;
  readonly #listen: () => Server;
  readonly #watch: StepWatch;
  #server: Server | undefined;

  private constructor(
    server: Server,
    port: number,
    url: string,
    sockets: Set<Socket>,
    listen: () => Server,
    watch: StepWatch,
  ) {
    this.#server = server;
    this.#port = port;
    this.url = url;
    this.#sockets = sockets;
    this.#listen = listen;
    this.#watch = watch;
  }

  static async open(storeUrl: string): Promise<StoreLink> {
    const { hostname, port: storePort } = new URL(storeUrl);
    const sockets = new Set<Socket>();
    const watch = new StepWatch();
    const listen = () =>
      createServer((near) => {
        const far = connect(Number(storePort), hostname);
        const { requests, answers } = watch.connection();
        near.pipe(requests).pipe(far);
        far.pipe(answers).pipe(near);
        for (const [socket, other] of [
          [near, far],
          [far, near],
        ] as const) {
          sockets.add(socket);
          socket.on("error", () => other.destroy());
          socket.on("close", () => {
            sockets.delete(socket);
            other.destroy();
          });
        }
      });
    const server = listen();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const url = new URL(storeUrl);
    url.host = `127.0.0.1:${port}`;
    return new StoreLink(server, port, url.href, sockets, listen, watch);
  }

  /** Waits until a step is on its way over the link, and holds it there; the function lets it through. */
  stopAt(step: StepOnTheWay): Promise<() => void> {
    return this.#watch.next(step);
  }

  /** Ends all connections and refuses new ones. */
  async cut(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, "close");
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Lets connections through again, at the same address. */
  async mend(): Promise<void> {
    if (this.#server !== undefined) return;
    for (;;) {
      const server = this.#listen();
      const fault = await once(server.listen(this.#port, "127.0.0.1"), "listening").then(
        () => undefined,
        (error: NodeJS.ErrnoException) => error,
      );
      this.#server = server;
      if (fault === undefined) return;
      // Meanwhile, a connection of another program may have got the port.
      if (fault.code !== "EADDRINUSE") throw fault;
      await sleep(50);
    }
  }
}
