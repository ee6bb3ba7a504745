import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What is looked at of a bill of materials (CycloneDX 1.5). */
const Bill = z.object({
  bomFormat: z.literal("CycloneDX"),
  components: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      purl: z.string().regex(/^pkg:npm\//),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })).default([]),
    }),
  ),
});

const Manifest = z.object({
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      link: z.boolean().optional(),
      dev: z.boolean().optional(),
      integrity: z.string().optional(),
    }),
  ),
});

/** Several services start here, on machines that may be busy. */
const TIMEOUT_MS = 120_000;

describe("npm run sbom", function () {
  this.timeout(TIMEOUT_MS);
  it("lists what the service runs on, with versions and hashes, and nothing that only its development needs", async () => {
    const options = { cwd: ROOT, maxBuffer: 32 * 1024 ** 2 };
    const { stdout } = await promisify(execFile)("npm", ["run", "--silent", "sbom"], options);
    const { components } = Bill.parse(JSON.parse(stdout));
    const names = new Set(components.map(({ name }) => name));
    const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
    const { dependencies, devDependencies } = Manifest.parse(manifest);
    expect([...names]).to.include.members(Object.keys(dependencies));
    const { default: lock } = await import("../../package-lock.json", { with: { type: "json" } });
    const needed = Object.entries(Lock.parse(lock).packages).filter(
      ([path, { dev }]) => path !== "" && dev !== true,
    );
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
    const missing = needed
      .map(([path, { version }]) => `${path.replace(/^.*node_modules\//, "")}@${version}`)
      .filter((one) => !listed.has(one));
    expect(missing).to.deep.equal([]);
    for (const name of ["mocha", "typescript", "playwright-core", "redoc", "swagger-ui-dist"]) {
      expect(Object.keys(devDependencies)).to.include(name);
      expect(names.has(name), name).to.equal(false);
    }
    // The files of Redoc and Swagger UI are ready-made: what they are made of is not installed with a service.
    for (const name of ["react", "mobx", "decko", "stickyfill", "@scarf/scarf"])
      expect(names.has(name), name).to.equal(false);
    // Node.js itself is fetched by the script of the package `node`, whose own version and hash are in the list.
    const unhashed = components.filter(({ hashes }) => hashes.length === 0).map(({ name }) => name);
    expect(unhashed.filter((name) => !/^node-[a-z]+-[a-z\d]+$/.test(name))).to.deep.equal([]);
  });

  it("rests on a lock file that holds the hash of every package", async () => {
    const { default: lock } = await import("../../package-lock.json", { with: { type: "json" } });
    const packages = Object.entries(Lock.parse(lock).packages).filter(([path]) =>
      path.startsWith("node_modules/"),
    );
    expect(packages).to.have.length.above(200);
    const unpinned = packages.filter(
      ([, { version, integrity }]) => version === undefined || integrity === undefined,
    );
    expect(unpinned.map(([path]) => path)).to.deep.equal([]);
  });
});
