import { once } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { connect } from "node:net";
import { fail } from "./say.mjs";

const SWITCHES = ["SAMPLE_CORPUS", "SEMANTIC", "KEEP_ORIGINALS", "OCR"];

/** The stores that may be given, with the default port of each protocol. */
const STORES = [
  { setting: "DATABASE_URL", ports: { "postgres:": 5432, "postgresql:": 5432 } },
  { setting: "OPENSEARCH_URL", ports: { "http:": 80, "https:": 443 } },
];

/** Ways to authenticate that only the service knows. */
const OTHER_CREDENTIALS = ["OPENSEARCH_TOKEN_FILE", "OPENSEARCH_REGION", "OPENSEARCH_CLIENT_CERT"];

/** A firewall that drops packets would hold a connection for minutes; the service explains it later. */
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * Ends a first launch, before the packages are installed, for faults that need no package to find. With the packages,
 * check-given-stores.ts checks all settings and PostgreSQL's password.
 */
export async function checkSettings(environment) {
  const given = (setting) => environment[setting]?.trim() || undefined;
  for (const setting of SWITCHES)
    if (!["on", "off", undefined].includes(given(setting))) fail(`${setting}: must be on or off`);
  // The statistics alone may be served without these stores.
  if (given("ROLES") === "statistics") return;
  for (const { setting, ports } of STORES) {
    const addresses = (given(setting) ?? "").split(",").filter((address) => address.trim() !== "");
    const faults = await Promise.all(addresses.map((address) => faultOf(address.trim(), ports)));
    // One node of a cluster is enough.
    if (faults.length > 0 && !faults.includes(undefined)) fail(`${setting}: ${faults[0]}`);
    if (setting === "OPENSEARCH_URL" && !OTHER_CREDENTIALS.some(given))
      for (const address of addresses)
        if (await isRejected(new URL(address.trim()), given)) fail(`OPENSEARCH_URL: ${REJECTED}`);
  }
}

const REJECTED =
  "OpenSearch rejects the user or the password (HTTP status 401). Check OPENSEARCH_USERNAME and OPENSEARCH_PASSWORD, or the user and password in OPENSEARCH_URL.";

/** Whether OpenSearch answers 401 to the user and the password, if any. The service explains all other faults. */
async function isRejected(url, given) {
  try {
    const user = decodeURIComponent(url.username) || given("OPENSEARCH_USERNAME");
    const password = decodeURIComponent(url.password) || given("OPENSEARCH_PASSWORD");
    const credentials = user && password && { auth: `${user}:${password}` };
    url.username = "";
    url.password = "";
    const ca = given("OPENSEARCH_CA") && { ca: readFileSync(given("OPENSEARCH_CA")) };
    const { get } = url.protocol === "https:" ? https : http;
    const request = get(url, { ...credentials, ...ca, signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    const [answer] = await once(request, "response");
    request.on("error", () => undefined).destroy();
    return answer.statusCode === 401;
  } catch {
    return false;
  }
}

/** Without the user and the password of the address. */
async function faultOf(address, ports) {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const port = ports[url?.protocol];
  if (port === undefined) {
    const protocols = Object.keys(ports).map((protocol) => `${protocol}//`);
    return `must be a URL that starts with ${protocols.join(" or ")}`;
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  // A socket of the file system.
  if (host === "" || host.includes("%")) return undefined;
  const socket = connect({ host, port: Number(url.port || port) });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    return undefined;
  } catch (error) {
    if (error.code === "ECONNREFUSED")
      return `nothing answers at ${url.host}. Start it, or correct the address.`;
    if (error.code === "ENOTFOUND") return `there is no host ${url.hostname}. Correct the address.`;
    return undefined;
  } finally {
    socket.destroy();
  }
}
