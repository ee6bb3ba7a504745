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

const Composed = z.looseObject({
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string(),
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
    const { services, volumes } = Composed.parse(
      parse(readFileSync(path, "utf8").replaceAll(/\$\{\w+:-(.*?)\}/g, "$1"), { merge: true }),
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

    it("keeps the data of each in a volume of its own", () => {
      const used = Object.values(services).flatMap((service) =>
        service.volumes.map((one) => one.split(":")[0]),
      );
      expect(used.toSorted()).to.deep.equal(Object.keys(volumes).toSorted());
    });

    it("is what Docker Compose takes", async function () {
      const [command, ...before] = (await composeCommand()) ?? [];
      if (command === undefined) return this.skip();
      this.timeout(30_000);
      await run(command, [...before, "-f", path, "config", "-q"]);
    });
  });
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
