import { join } from "node:path";
import process from "node:process";
import type { Waiting } from "../../src/platform/run-command.ts";
import { findJavaHome } from "../stores/java-home.ts";
import {
  EMBEDDED_RELEASE,
  type OpenSearchRelease,
  opensearchDistribution,
} from "../stores/opensearch-distribution.ts";
import { canUse, storePlace } from "../stores/store-place.ts";
import { addModules } from "./distribution-modules.ts";

export type Prepared = { readonly distribution: string; readonly javaHome: string };

/** The complete distribution of a release below `dataDir`, where its nodes run. */
export async function prepareDistribution(
  release: OpenSearchRelease,
  dataDir: string,
  fetching: Waiting,
): Promise<Prepared> {
  const { root, account } = await storePlace(dataDir, fetching.say);
  const javaFor = ({ java }: OpenSearchRelease) =>
    findJavaHome(process.env, (home) => canUse(account, join(home, "bin", "java")), java).home;
  const javaHome = javaFor(release);
  const distribution = await opensearchDistribution(root, javaHome, fetching, release);
  if (release.version !== EMBEDDED_RELEASE.version) {
    const beside = join(root, "..", EMBEDDED_RELEASE.version);
    const embedded = await opensearchDistribution(beside, javaFor(EMBEDDED_RELEASE), fetching);
    await addModules({ distribution, version: release.version, embedded }, fetching);
  }
  return { distribution, javaHome };
}
