import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Opens a progress stream and never reads a byte of it. */
export async function openUnread(base: string, checkId: string): Promise<Socket> {
  const { hostname, port, host } = new URL(base);
  const socket = connect(Number(port), hostname);
  // It is cut off sooner or later, which is what it is here for.
  socket.on("error", () => undefined);
  socket.pause();
  await once(socket, "connect");
  socket.write(`GET /v1/checks/${checkId}/progress HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return socket;
}
