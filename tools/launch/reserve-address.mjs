import { once } from "node:events";
import { renameSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Further attempts mean that the socket of a killed launcher belongs to another user and can't be removed. */
const ATTEMPTS_MAX = 3;

/**
 * Reserves the address of a listener until this process ends. A start takes seconds to minutes before the service listens, and meanwhile
 * a second start must not begin. A socket holds the reservation, since the system closes it whenever its process ends, by SIGKILL too.
 * @returns the number of the process that has reserved the address before; undefined if it is ours now, or can't be reserved here
 */
export async function reserveAddress(host, port) {
  const path = socketPath(`similarity-check-${host.replaceAll(/[^\w.-]/g, "_")}-${port}`);
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const server = createServer((socket) => socket.on("error", () => socket.destroy()).end(`${process.pid}`));
    try {
      await once(server.listen(path), "listening");
      server.unref();
      process.once("exit", () => rmSync(path, { force: true }));
      return undefined;
    } catch (error) {
      if (error.code !== "EADDRINUSE") return undefined;
    }
    const holder = await askHolder(path);
    if (holder !== undefined) return holder;
    await removeUnheld(path);
  }
  return undefined;
}

function socketPath(name) {
  return process.platform === "win32" ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

/** Undefined if no process listens there. */
async function askHolder(path) {
  const socket = connect(path);
  let answer = "";
  try {
    for await (const piece of socket) answer += piece;
    return answer;
  } catch (error) {
    return error.code === "ECONNREFUSED" || error.code === "ENOENT" ? undefined : answer;
  }
}

/** Another launcher may have taken its place since it was asked: then its socket is put back. */
async function removeUnheld(path) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if ((await askHolder(aside)) === undefined) rmSync(aside, { force: true });
    else renameSync(aside, path);
  } catch {
    // It is gone; the next attempt decides.
  }
}
