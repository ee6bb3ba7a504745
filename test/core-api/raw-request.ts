import { once } from "node:events";
import { connect } from "node:net";

/** A request whose headers go out exactly as they are, in their order; `fetch` would join equal ones. */
export async function sendRaw(
  base: string,
  line: string,
  headers: readonly (readonly [name: string, value: string])[],
  body: Uint8Array,
): Promise<{ readonly status: number; readonly text: string }> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const own = [
    ["Host", `${hostname}:${port}`],
    ["Connection", "close"],
    ["Content-Length", String(body.length)],
  ] as const;
  const lines = [...headers.filter(([name]) => name !== "Content-Length"), ...own];
  socket.write(
    `${[`${line} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)].join("\r\n")}\r\n\r\n`,
  );
  socket.write(body);
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece);
  const answer = Buffer.concat(pieces).toString("utf8");
  const end = answer.indexOf("\r\n\r\n");
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]), text: answer.slice(end + 4) };
}
