import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { connectOpenSearch } from "../../src/platform/opensearch/opensearch.ts";
import { lastLines, runCommand, type Waiting } from "../../src/platform/run-command.ts";
import { makeCertificates } from "../../test/platform/opensearch/secured-opensearch.ts";
import { freePorts, stopDaemon, waitUntilReady } from "../stores/daemon.ts";
import { embeddedOpenSearch, startOpenSearch } from "../stores/embedded-opensearch.ts";
import type { OpenSearchRelease } from "../stores/opensearch-distribution.ts";
import { makeFolder, storePlace } from "../stores/store-place.ts";
import type { Prepared } from "./prepare-distribution.ts";

/** The password of all users. The node listens on this machine only, and its data is removed. */
export const PASSWORD = "Only-for-this-test-1";

/** May do everything; asks only whether the node is ready. */
const OPERATOR = "operator";

const PLUGIN = "opensearch-security";
const COMMAND_TIMEOUT_MS = 5 * 60_000;
const START_STALL_MS = 6 * 60_000;
const STOP_BOUND_MS = 30_000;

const ROLE_FILE = new URL("../../index-templates/security-role.json", import.meta.url);

export type SecuredNode = {
  readonly url: string;
  readonly caFile: string;
  /** The settings by which the service connects, but for the user's name. */
  readonly environment: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly stop: () => Promise<void>;
};

/**
 * Starts a node with the security plugin, certificates of its own, and users that have only the role in
 * `index-templates/security-role.json`. Its audit log has each granted and each missing permission.
 */
export async function startSecuredNode(
  {
    release,
    dataDir,
    prepared,
    users,
  }: {
    readonly release: OpenSearchRelease;
    readonly dataDir: string;
    readonly prepared: Prepared;
    readonly users: readonly string[];
  },
  fetching: Waiting,
): Promise<SecuredNode> {
  const { say, signal } = fetching;
  await installPlugin(release, prepared, fetching);
  const config = join(prepared.distribution, "config");
  const certificates = join(config, "certificates");
  rmSync(certificates, { recursive: true, force: true });
  makeFolder(certificates);
  makeCertificates(certificates, "IP:127.0.0.1,DNS:localhost");
  await writeUsers(join(config, PLUGIN), users, prepared);
  const store = embeddedOpenSearch(await storePlace(dataDir, say), "opensearch-node-1");
  const [httpPort = 0, transportPort = 0] = await freePorts([undefined, undefined]);
  const node = { nodeName: "node-1", httpPort, transportPort, release, settings: SETTINGS };
  const process = await startOpenSearch(store, node, "512m", fetching);
  const stop = () => stopDaemon(process, "SIGTERM", STOP_BOUND_MS);
  const url = `https://127.0.0.1:${httpPort}`;
  const caFile = join(certificates, "ca.pem");
  const access = { username: OPERATOR, password: PASSWORD, ca: readFileSync(caFile, "utf8") };
  const operator = connectOpenSearch([url], access);
  try {
    await waitUntilReady({
      ...{ name: "OpenSearch with the security plugin", process, logFile: store.logFile, say, signal },
      answers: () =>
        operator.cluster.health().then(
          () => true,
          () => false,
        ),
      stallMs: START_STALL_MS,
    });
  } catch (error) {
    await stop();
    throw error;
  } finally {
    await operator.close();
  }
  return {
    url,
    caFile,
    environment: { OPENSEARCH_URL: url, OPENSEARCH_CA: caFile, OPENSEARCH_PASSWORD: PASSWORD },
    logFile: store.logFile,
    stop,
  };
}

const SETTINGS: readonly string[] = [
  "discovery.type: single-node",
  ...["transport", "http"].flatMap((layer) => [
    `plugins.security.ssl.${layer}.pemcert_filepath: certificates/node.pem`,
    `plugins.security.ssl.${layer}.pemkey_filepath: certificates/node.key`,
    `plugins.security.ssl.${layer}.pemtrustedcas_filepath: certificates/ca.pem`,
  ]),
  "plugins.security.ssl.transport.enforce_hostname_verification: false",
  "plugins.security.ssl.http.enabled: true",
  'plugins.security.nodes_dn: ["CN=node"]',
  "plugins.security.allow_default_init_securityindex: true",
  "plugins.security.audit.type: log4j",
  "plugins.security.audit.config.log4j.logger_name: audit",
  "plugins.security.audit.config.log4j.level: INFO",
];

async function installPlugin(
  { version }: OpenSearchRelease,
  { distribution, javaHome }: Prepared,
  { say, signal }: Waiting,
): Promise<void> {
  if (existsSync(join(distribution, "plugins", PLUGIN))) return;
  const folder = join(distribution, "fetched");
  mkdirSync(folder, { recursive: true });
  say(`Fetching the security plugin of OpenSearch ${version} with Maven (once)`);
  const fetch = (artifact: string) => {
    const copy = ["dependency:copy", `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`];
    return run("mvn", ["-q", "-B", ...copy], javaHome, signal);
  };
  await fetch(`org.opensearch.plugin:${PLUGIN}:${version}.0:zip`);
  await fetch(`org.apache.commons:${COLLECTIONS}`);
  const archive = join(folder, `${PLUGIN}-${version}.0.zip`);
  makeModuleOptional(archive, join(folder, `${COLLECTIONS.replace(":", "-")}.jar`));
  const install = ["install", "--batch", `file://${archive}`];
  await run(join(distribution, "bin", "opensearch-plugin"), install, javaHome, signal);
  rmSync(folder, { recursive: true });
}

/** A library of the module below, which the plugin uses too. */
const COLLECTIONS = "commons-collections4:4.5.0";

/**
 * From 3.4 on, the plugin asks for the module with rules for workload groups, which is not on Maven Central and which the
 * service does not use. Its author declared a similar module optional in the same way.
 */
function makeModuleOptional(archive: string, library: string): void {
  const files = unzipSync(readFileSync(archive));
  const descriptor = "plugin-descriptor.properties";
  const described = strFromU8(files[descriptor] ?? new Uint8Array());
  const optional = described.replace(/(?<=[=,]rule-framework)(?=,|$)/m, ";optional=true");
  if (optional === described) return;
  files[descriptor] = strToU8(optional);
  files[basename(library)] = readFileSync(library);
  writeFileSync(archive, zipSync(files, { level: 0 }));
}

/** Replaces the plugin's demo users. JSON is YAML. */
async function writeUsers(
  folder: string,
  users: readonly string[],
  { distribution, javaHome }: Prepared,
): Promise<void> {
  const hashTool = join(distribution, "plugins", PLUGIN, "tools", "hash.sh");
  const printed = await run("bash", [hashTool, "-p", PASSWORD], javaHome);
  const hash = /\$2[aby]\$\S+/.exec(printed)?.[0];
  if (hash === undefined) throw new Error(`no hash of a password: ${printed}`);
  const write = (name: string, type: string, content: object) =>
    writeFileSync(
      join(folder, `${name}.yml`),
      JSON.stringify({ _meta: { type, config_version: 2 }, ...content }),
    );
  const named = [OPERATOR, ...users].map((user) => [user, { hash }]);
  write("internal_users", "internalusers", Object.fromEntries(named));
  write("roles", "roles", { similarity: JSON.parse(readFileSync(ROLE_FILE, "utf8")) });
  write("roles_mapping", "rolesmapping", {
    similarity: { users },
    all_access: { users: [OPERATOR] },
  });
  write("audit", "audit", {
    config: {
      enabled: true,
      audit: {
        enable_rest: false,
        disabled_rest_categories: [],
        enable_transport: true,
        disabled_transport_categories: ["AUTHENTICATED"],
        ignore_users: [OPERATOR],
        resolve_bulk_requests: false,
        log_request_body: false,
        resolve_indices: false,
        exclude_sensitive_headers: true,
      },
      compliance: { enabled: false },
    },
  });
}

async function run(
  command: string,
  args: readonly string[],
  javaHome: string,
  signal?: AbortSignal,
): Promise<string> {
  const env = { ...process.env, OPENSEARCH_JAVA_HOME: javaHome, JAVA_HOME: javaHome };
  const result = await runCommand(command, args, { timeoutMs: COMMAND_TIMEOUT_MS, env, signal });
  if (result.ok) return result.stdout;
  throw new Error(`${command} failed: ${lastLines(`${result.stdout}\n${result.stderr}`, 5)}`);
}
