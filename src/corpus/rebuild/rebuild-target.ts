import { setTimeout as sleep } from "node:timers/promises";
import { DomainError } from "../../core/domain-error.ts";
import type { IndexVersion, IndexVersions } from "../chunk-index/index-versions.ts";

/** Copies on other nodes are made meanwhile; what takes longer is not waited for, as the index is whole without them. */
const COPIES_WAIT_MS = 10 * 60_000;
const COPIES_POLL_MS = 1_000;

type Told = { readonly say: (line: string) => void; readonly signal?: AbortSignal | undefined };

export type Choice = {
  readonly standing: IndexVersion | undefined;
  /** The standing index can't be searched by this release. */
  readonly isOutdated: boolean;
  /** The index that is to be filled. */
  readonly target: IndexVersion;
};

/**
 * The unfinished index of an earlier run where it can be gone on with, or the last one where all have lost their aliases;
 * else a new one.
 * @throws DomainError `invalid_input` when `reindexes` and the fingerprints must be made anew, or when the templates are
 *   those of another release; `store_unavailable`.
 */
export async function chooseTarget(
  versions: IndexVersions,
  { say, restart, reindexes }: Told & { readonly restart: boolean; readonly reindexes: boolean },
): Promise<Choice> {
  const listed = await versions.list();
  const standing = listed.find(({ role }) => role === "standing");
  const isOutdated = standing?.isSearchable !== true;
  if (reindexes && isOutdated) {
    throw new DomainError(
      "invalid_input",
      `--reindex copies fingerprints as they are, and those of ${standing?.name ?? "an index that is missing"} can't be searched by this release. Run the rebuild without it.`,
    );
  }
  const unfinished = listed.find(({ role }) => role === "next");
  const isWanted = unfinished?.isSearchable === true && unfinished.shards === versions.layout.shards;
  if (unfinished !== undefined && !restart && isWanted) {
    say(`Going on with ${unfinished.name}, which an earlier rebuild began.`);
    return { standing, isOutdated, target: unfinished };
  }
  if (unfinished !== undefined) {
    say(`Deleting ${unfinished.name}, which an earlier rebuild began.`);
    await versions.drop([unfinished.name]);
  }
  const former = listed.findLast(({ role, isSearchable }) => role === "former" && isSearchable);
  if (standing === undefined && former !== undefined && !restart) {
    say(`Going on with ${former.name}, which is there without its aliases.`);
    await versions.markNext(former.name);
    return { standing, isOutdated, target: { ...former, role: "next" } };
  }
  const target = await createTarget(versions, versions.nameAfter(listed));
  const replaced = standing === undefined ? "an index that is missing" : described(standing);
  say(`Building ${described(target)} in the place of ${replaced}.`);
  return { standing, isOutdated, target };
}

/** With the number of its shards: one that the settings of this command say by mistake is seen before it matters. */
function described({ name, shards }: IndexVersion): string {
  return `${name} (${shards === 1 ? "1 shard" : `${shards} shards`})`;
}

async function createTarget(versions: IndexVersions, name: string): Promise<IndexVersion> {
  await versions.createNext(name);
  const made = (await versions.list()).find((version) => version.name === name);
  if (made?.isSearchable === true && made.role === "next") return made;
  await versions.drop([name]);
  throw new DomainError(
    "invalid_input",
    "The index templates in OpenSearch are those of another release. Stop its services, and start the rebuild again.",
  );
}

/** Waits for the copies on other nodes: until as many of the new index are lacking as of the standing one. */
export async function copiesMade(
  versions: IndexVersions,
  { standing, target, say, signal }: Told & Pick<Choice, "standing" | "target">,
): Promise<void> {
  const lacking = async (name: string) => {
    const { wanted, made } = await versions.copies(name);
    return wanted - made;
  };
  const usual = standing === undefined ? 0 : await lacking(standing.name);
  for (let waitedMs = 0; waitedMs < COPIES_WAIT_MS; waitedMs += COPIES_POLL_MS) {
    if ((await lacking(target.name)) <= usual) return;
    if (waitedMs === 0) say("Waiting until OpenSearch has copied the new index to its other nodes.");
    signal?.throwIfAborted();
    await sleep(COPIES_POLL_MS);
  }
  say("The copies are still being made; going on without them.");
}
