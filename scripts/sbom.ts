import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import packageJson from "../package.json" with { type: "json" };
import packageLock from "../package-lock.json" with { type: "json" };

// Prints the bill of materials (CycloneDX) of an installed service, on all systems. npm's own `--omit dev` leaves
// out every package that development uses as well (a quarter of them), so npm is given a lock file of the others alone.

const Packages = z.record(z.string(), z.looseObject({ dev: z.boolean().default(false) }));

const { devDependencies: _, scripts: __, ...manifest } = packageJson;
const { "": root, ...installed } = Packages.parse(packageLock.packages);
const packages = Object.fromEntries(Object.entries(installed).filter(([, { dev }]) => !dev));

const temporary = mkdtempSync(join(tmpdir(), "sbom-"));
const folder = join(temporary, packageJson.name); // npm calls the service by the name of the folder
try {
  mkdirSync(folder);
  const own = { ...root, devDependencies: {} };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(
    join(folder, "package-lock.json"),
    JSON.stringify({ ...packageLock, packages: { "": own, ...packages } }),
  );
  const options = ["--package-lock-only", "--sbom-format", "cyclonedx", "--sbom-type", "application"];
  const { status } = spawnSync("npm", ["sbom", ...options], {
    cwd: folder,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
