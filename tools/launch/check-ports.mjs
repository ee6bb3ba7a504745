import { once } from "node:events";
import { createServer } from "node:net";
import { reserveAddress } from "./reserve-address.mjs";
import { fail } from "./say.mjs";

/** By role. The settings have the same defaults in src/platform/config.ts, which needs packages that may not be installed yet. */
const PORTS = {
  engine: { setting: "ENGINE_PORT", fallback: "8080" },
  statistics: { setting: "STATISTICS_PORT", fallback: "8081" },
};
const ROLES = "engine,worker,statistics";
const HOST = "127.0.0.1";
const PORT_MAX = 65_535;

/**
 * Ends the launch if a port of the service is taken, is no number, or is that of a service that another launcher is starting. Reserves the
 * others until this process ends.
 */
export async function checkPorts(environment) {
  const given = (setting) => environment[setting]?.trim() || undefined;
  const roles = (given("ROLES") ?? ROLES).split(",").map((role) => role.trim());
  const listeners = Object.entries(PORTS).flatMap(([role, port]) => (roles.includes(role) ? [port] : []));
  const optional = ["METRICS_PORT", "CORE_API_PORT"].map((setting) => ({ setting, fallback: "0" }));
  const chosen = new Map();
  for (const { setting, fallback } of [...listeners, ...optional]) {
    const port = given(setting) ?? fallback;
    if (chosen.has(Number(port))) fail(`${setting}: must not be the same as ${chosen.get(Number(port))}`);
    await checkPort(given("HOST") ?? HOST, port, setting);
    if (Number(port) !== 0) chosen.set(Number(port), setting);
  }
}

async function checkPort(host, port, setting) {
  if (!/^\d{1,5}$/.test(port) || Number(port) > PORT_MAX)
    fail(`${setting}: must be a whole number from 0 to ${PORT_MAX}`);
  if (Number(port) === 0) return;
  const holder = await reserveAddress(host, Number(port));
  if (holder !== undefined)
    fail(
      `Similarity Check is already starting or running on port ${port} of ${host} (process ${holder}). Stop it first, or set ${setting} to a free port.`,
    );
  const server = createServer().listen({ host, port: Number(port) });
  try {
    await once(server, "listening");
  } catch (error) {
    // The service explains the other faults.
    if (error.code !== "EADDRINUSE") return;
    fail(
      `Port ${port} on ${host} is already in use. Stop the program that uses it, or set ${setting} to a free port.`,
    );
  }
  server.close();
  await once(server, "close");
}
