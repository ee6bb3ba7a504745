import { createServer, type Server } from "node:net";

const HOST = "127.0.0.1";

/**
 * One free port of 127.0.0.1 for each entry, all different: the preferred port where it is free,
 * else one that the system picks. All are held at once while they are chosen, then let go.
 */
export async function freePorts(preferred: readonly (number | undefined)[]): Promise<number[]> {
  const held: Server[] = [];
  try {
    const ports: number[] = [];
    for (const port of preferred) {
      const server =
        (port === undefined ? undefined : await listen(port).catch(() => undefined)) ?? (await listen(0));
      held.push(server);
      ports.push(portOf(server));
    }
    return ports;
  } finally {
    await Promise.all(held.map((server) => new Promise((done) => server.close(done))));
  }
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(port, HOST, () => resolve(server));
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a listening server has no port");
  return address.port;
}
