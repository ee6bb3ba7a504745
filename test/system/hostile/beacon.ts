import { createServer } from "node:http";

export type Beacon = {
  /** An address whose every request is counted, and that no file may make the service ask. */
  readonly address: string;
  readonly asked: () => number;
  readonly stop: () => void;
};

/** Listens on a free port of this machine. */
export async function lightBeacon(): Promise<Beacon> {
  let asked = 0;
  const server = createServer((_, response) => response.end("caught"));
  server.on("connection", () => {
    asked += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { address: `http://127.0.0.1:${port}/beacon`, asked: () => asked, stop: () => server.close() };
}
