import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { parse } from "yaml";
import { z } from "zod";
import { readConfig, SETTINGS } from "../../src/platform/config.ts";

const FILES = ["docker-compose.yml", "docker-compose.cluster.yml"] as const;

/** What the image sets by itself (`Dockerfile`). */
const OF_THE_IMAGE = { HOST: "0.0.0.0", DATA_DIR: "/data" } as const;

/** Where the images keep data. That of Dashboards keeps none: what it saves is in OpenSearch. */
const DATA_FOLDERS: Readonly<Record<string, string>> = {
  "similarity-check": "/data",
  postgres: "/var/lib/postgresql",
  "opensearchproject/opensearch": "/usr/share/opensearch/data",
};

const Composed = z.looseObject({
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string(),
      mem_limit: z.string().optional(),
      restart: z.string().optional(),
      environment: z.record(z.string(), z.coerce.string()).default({}),
      depends_on: z.record(z.string(), z.unknown()).default({}),
      volumes: z.array(z.string()).default([]),
    }),
  ),
  volumes: z.record(z.string(), z.unknown()),
});

const run = promisify(execFile);

for (const file of FILES) {
  describe(file, () => {
    const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
    const text = readFileSync(path, "utf8");
    const { services, volumes } = Composed.parse(
      parse(text.replaceAll(/\$\{\w+:-(.*?)\}/g, "$1"), { merge: true }),
    );
    const ours = Object.entries(services).filter(([, { image }]) => image === "similarity-check");

    it("starts each service again when it ends by itself", () => {
      for (const [name, { restart }] of Object.entries(services)) {
        expect(restart, name).to.equal("unless-stopped");
      }
    });

    it("gives the service settings that it knows and takes", () => {
      expect(ours).not.to.deep.equal([]);
      for (const [name, { environment }] of ours) {
        expect(SETTINGS, name).to.include.members(Object.keys(environment));
        expect(() => readConfig({ ...OF_THE_IMAGE, ...environment }), name).not.to.throw();
      }
    });

    it("names every node of OpenSearch to the service, which waits for each", () => {
      const nodes = Object.entries(services).flatMap(([name, { image }]) =>
        image.startsWith("opensearchproject/opensearch:") ? [name] : [],
      );
      for (const [name, { environment, depends_on }] of ours) {
        const { opensearchUrls } = readConfig(environment);
        expect(opensearchUrls, name).to.deep.equal(nodes.map((node) => `http://${node}:9200`));
        expect(Object.keys(depends_on), name).to.include.members([...nodes, "postgres"]);
      }
      if (nodes.length === 1) return;
      for (const node of nodes) {
        const { environment = {} } = services[node] ?? {};
        expect(environment).to.include({
          "node.name": node,
          "discovery.seed_hosts": nodes.join(","),
          "cluster.initial_cluster_manager_nodes": nodes.join(","),
        });
      }
    });

    it("limits the memory of each, and that of OpenSearch to twice its heap or more", () => {
      for (const [name, { mem_limit = "", image, environment }] of Object.entries(services)) {
        expect(mem_limit, name).to.match(/^\d+[mg]$/);
        if (!image.startsWith("opensearchproject/opensearch:")) continue;
        const heap = /-Xmx(\w+)/.exec(environment.OPENSEARCH_JAVA_OPTS ?? "")?.[1] ?? "";
        expect(megabytes(mem_limit), name).to.be.at.least(2 * megabytes(heap));
      }
    });

    it("has a named volume for each folder in which an image keeps data", () => {
      for (const [name, { image, volumes: mounted }] of Object.entries(services)) {
        const folder = DATA_FOLDERS[image.split(":")[0] ?? ""];
        if (folder === undefined) continue;
        expect(
          mounted.map((one) => one.split(":")[1]),
          name,
        ).to.include(folder);
      }
    });

    it("lets each image be named by digest, with variables and tags that docs/docker.md lists", () => {
      const variables = [...text.matchAll(/(?:image|NODE_IMAGE): (.+)/g)].map(([, value = ""]) => value);
      const named = variables.filter((value) => value !== "similarity-check");
      expect(named.length).to.be.above(2);
      for (const value of named) {
        const [, variable = "", tag = ""] = /^\$\{(\w+_IMAGE):-(.+)\}$/.exec(value) ?? [];
        expect(listed(variable), value).to.equal(tag);
      }
      for (const [, variable = "", limit = ""] of text.matchAll(/mem_limit: \$\{(\w+):-(\w+)\}/g))
        expect(listed(variable), variable).to.equal(limit);
    });

    it("keeps the data of each in a volume of its own", () => {
      const used = Object.values(services).flatMap((service) =>
        service.volumes.map((one) => one.split(":")[0]),
      );
      expect(used.toSorted()).to.deep.equal(Object.keys(volumes).toSorted());
    });

    it("is what Docker Compose takes", async function () {
      const [command, ...before] = (await composeCommand()) ?? [];
      if (command === undefined) return this.skip();
      this.timeout(120_000);
      await run(command, [...before, "-f", path, "config", "-q"]);
    });
  });
}

describe("the documents on Docker", () => {
  const dockerfile = readFileSync(new URL("../../Dockerfile", import.meta.url), "utf8");

  it("name the base of the image as the Dockerfile does", () => {
    expect(/^ARG NODE_IMAGE=(.+)$/m.exec(dockerfile)?.[1]).to.equal(listed("NODE_IMAGE"));
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(new Set(bases)).to.deep.equal(new Set(["$" + "{NODE_IMAGE}", "packages"]));
  });

  it("back up and restore with the options of the tested backup", () => {
    const [docker, operations] = ["docker.md", "operations.md"].map(document);
    for (const program of ["pg_dump", "pg_restore"]) {
      const options = (text = "") =>
        (
          new RegExp(`(?:^|postgres )${program} (--.*)$`, "m").exec(text)?.[1]?.match(/--[\w-]+(?:=\w+)?/g) ??
          []
        )
          .filter((option) => !/^--(?:file|dbname|username)/.test(option))
          .toSorted();
      expect(options(docker).length).to.be.above(2);
      expect(options(docker)).to.deep.equal(options(operations));
    }
  });
});

/** The default that the tables of docs/docker.md give for a variable. */
function listed(variable: string): string | undefined {
  return new RegExp(`^\\| \`${variable}\`[^|]*\\| \`([^\`]+)\``, "m").exec(document("docker.md"))?.[1];
}

function document(name: string): string {
  return readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");
}

function megabytes(size: string): number {
  return Number.parseInt(size, 10) * (size.endsWith("g") ? 1024 : 1);
}

/** The plugin of Docker, else the program that came before it; undefined where neither is installed. */
async function composeCommand(): Promise<readonly string[] | undefined> {
  for (const [command = "", ...before] of [["docker", "compose"], ["docker-compose"]]) {
    const found = await run(command, [...before, "version"]).then(
      () => true,
      () => false,
    );
    if (found) return [command, ...before];
  }
  return undefined;
}
