import { DomainError } from "../../core/domain-error.ts";
import type { Filling } from "./filling.ts";
import { confirmSince, copySince, type Recent } from "./rebuild-recent.ts";

/**
 * Writers are kept out for as long as it takes to copy what has just come, to see that it is there, and to move the
 * aliases: 55 to 170 ms with 400,000 chunks as with 4,000.
 */
export async function swapIndex(
  filling: Filling,
  since: Date,
): Promise<{ readonly recent: Recent; readonly swapMs: number }> {
  const { session, signal } = filling;
  let closedAt = 0;
  const recent = await session.withGateClosed(async () => {
    closedAt = performance.now();
    const impatient: Filling = { ...filling, withPatience: (work) => work() };
    await copySince(impatient, since);
    const confirmed = await confirmSince(impatient, since);
    signal?.throwIfAborted();
    await moveAliases(filling);
    return confirmed;
  }, filling);
  return { recent, swapMs: performance.now() - closedAt };
}

/**
 * Where the answer is lost, the aliases may have been moved or not. The request is sent until it is answered: it changes
 * nothing the second time, and without OpenSearch no writer waits for anything but that. What ends the waiting counts
 * only when the aliases are found where they were.
 */
async function moveAliases(filling: Filling): Promise<void> {
  const { parts, session, target, withPatience } = filling;
  try {
    await withPatience(async () => {
      // With a connection that was lost the gate has opened: writers would go on with the old index.
      if (!(await session.isOpen())) throw new GateOpened();
      await parts.indexVersions.swap(target.name);
    });
  } catch (error) {
    if (await hasMoved(filling)) return;
    if (!(error instanceof GateOpened)) throw error;
    throw new DomainError("store_unavailable", "PostgreSQL does not answer; try again in a moment.", {
      cause: error,
    });
  }
}

async function hasMoved({ parts, target }: Filling): Promise<boolean> {
  const versions = await parts.indexVersions.list().catch((cause: unknown) => {
    const message = `OpenSearch does not say whether checks now search ${target.name}: \`npm run corpus:rebuild\` tells which index it goes on from.`;
    throw new DomainError("store_unavailable", message, { cause });
  });
  return versions.some(({ name, role }) => name === target.name && role === "standing");
}

/** No store is waited for after it: the lock does not come back. */
class GateOpened extends Error {}
