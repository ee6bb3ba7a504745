import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lastLines, runCommand, type Waiting } from "../../src/platform/run-command.ts";

/** The modules that the service needs, each with its Maven artifact and the other jars in its folder. */
const MODULES = [
  { name: "lang-painless", artifact: "lang-painless", jars: /^(antlr4|asm|opensearch-scripting)/ },
  { name: "analysis-common", artifact: "analysis-common", jars: undefined },
  { name: "mapper-extras", artifact: "mapper-extras-client", jars: undefined },
  {
    name: "reindex",
    artifact: "reindex-client",
    jars: /^(http|commons-(codec|logging)|slf4j|opensearch-(rest-client|ssl-config))/,
  },
] as const;

const FETCH_TIMEOUT_MS = 10 * 60_000;

/**
 * Adds modules to a distribution. The archives of OpenSearch before 3.6 contain none but the transport, and Maven Central has
 * the jars of the others. `embedded` is the complete distribution of another release, with the modules' descriptions.
 */
export async function addModules(
  {
    distribution,
    version,
    embedded,
  }: {
    readonly distribution: string;
    readonly version: string;
    readonly embedded: string;
  },
  fetching: Waiting,
): Promise<void> {
  const modules = join(distribution, "modules");
  if (MODULES.every(({ name }) => existsSync(join(modules, name)))) return;
  fetching.say(`Fetching the modules of OpenSearch ${version} with Maven (once)`);
  const jars = await fetchJars(join(distribution, "fetched"), version, fetching);
  const inLibrary = new Set(readdirSync(join(distribution, "lib")).map(nameOf));
  const fetched = readdirSync(jars).filter((jar) => !inLibrary.has(nameOf(jar)));
  for (const module of MODULES) {
    const folder = join(modules, module.name);
    mkdirSync(folder, { recursive: true });
    const main = `${module.artifact}-${version}.jar`;
    for (const jar of fetched)
      if (jar === main || module.jars?.test(jar)) cpSync(join(jars, jar), join(folder, jar));
    const described = join(embedded, "modules", module.name);
    const descriptor = readFileSync(join(described, "plugin-descriptor.properties"), "utf8");
    const hasClass = (name: string) => readFileSync(join(folder, main)).includes(name);
    writeFileSync(join(folder, "plugin-descriptor.properties"), describedAs(descriptor, version, hasClass));
    const policy = "plugin-security.policy";
    if (existsSync(join(described, policy))) cpSync(join(described, policy), join(folder, policy));
  }
  rmSync(jars, { recursive: true });
}

async function fetchJars(folder: string, version: string, { signal }: Waiting): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const dependencies = MODULES.map(
    ({ artifact }) =>
      `<dependency><groupId>org.opensearch.plugin</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`,
  );
  const project = `<project><modelVersion>4.0.0</modelVersion><groupId>modules</groupId><artifactId>modules</artifactId><version>1</version><packaging>pom</packaging><dependencies>${dependencies.join("")}</dependencies></project>`;
  writeFileSync(join(folder, "pom.xml"), project);
  const copy = ["dependency:copy-dependencies", "-DincludeScope=runtime", `-DoutputDirectory=${folder}`];
  const options = { timeoutMs: FETCH_TIMEOUT_MS, cwd: folder, signal };
  const result = await runCommand("mvn", ["-q", "-B", ...copy], options);
  if (!result.ok) throw new Error(`Maven could not fetch the modules: ${lastLines(result.stdout, 3)}`);
  return folder;
}

/** Before 3.5, the plugin classes of modules had shorter names. */
function describedAs(descriptor: string, version: string, hasClass: (name: string) => boolean): string {
  const java = version.startsWith("2.") ? "11" : "21";
  return descriptor
    .replace(/^(version|opensearch\.version)=.*$/gm, `$1=${version}`)
    .replace(/^java\.version=.*$/m, `java.version=${java}`)
    .replace(/^classname=(.*)$/m, (line, name: string) => {
      const path = `${name.replaceAll(".", "/")}.class`;
      return hasClass(path) ? line : line.replace("ModulePlugin", "Plugin");
    });
}

/** The name of a jar without its version. */
function nameOf(jar: string): string {
  return jar.replace(/-\d.*$/, "");
}
