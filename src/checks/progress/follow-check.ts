import { DomainError } from "../../core/domain-error.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { CHECK_STAGES, type Check, type Progress } from "../check.ts";
import type { CheckStore } from "../check-store.ts";
import type { ProgressHub, ProgressMessage } from "./progress-hub.ts";

/** What a follower is shown: each state in turn, then one end. */
export type ProgressViewer = {
  readonly show: (progress: Progress) => void;
  /** `check` is undefined when it was deleted. */
  readonly end: (check: Check | undefined) => void;
  /** Aborted when nobody looks any more. */
  readonly closed: AbortSignal;
};

/**
 * Shows a check's present state, then each change until its end.
 * `open` is called once the check is known to exist and gives the viewer.
 * @throws DomainError `check_not_found`.
 */
export type FollowCheck = (checkId: string, open: () => ProgressViewer) => Promise<void>;

type Parts = { readonly database: Database; readonly checks: CheckStore; readonly hub: ProgressHub };

/**
 * Makes the use case. It listens before it looks, so that nothing falls between the two, and tells old messages from
 * new ones by their number.
 */
export function createFollowCheck({ database, checks, hub }: Parts): FollowCheck {
  return async (checkId, open) => {
    const inbox: ProgressMessage[] = [];
    let wake = () => {};
    const unfollow = hub.follow(checkId, (message) => {
      inbox.push(message);
      wake();
    });
    try {
      const known = await checks.findWithProgress(database, checkId);
      if (known === undefined) throw new DomainError("check_not_found", `There is no check ${checkId}.`);
      const viewer = open();
      viewer.closed.addEventListener("abort", () => wake(), { once: true });
      const steps = new ProgressSteps(viewer.show);
      if (hasEnded(known.check)) return viewer.end(known.check);
      steps.show(progressOf(known.check, known.seq));
      while (!viewer.closed.aborted) {
        const message = inbox.shift();
        if (message === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
            if (inbox.length > 0 || viewer.closed.aborted) resolve();
          });
        } else if (message.kind === "progress") {
          steps.show(message.progress);
        } else {
          const found = await checks.findWithProgress(database, checkId);
          if (found === undefined) return viewer.end(undefined);
          if (hasEnded(found.check)) {
            if (found.check.status === "complete") steps.finish(progressOf(found.check, found.seq));
            return viewer.end(found.check);
          }
          steps.show(progressOf(found.check, found.seq));
        }
      }
    } finally {
      unfollow();
    }
  };
}

function hasEnded(check: Check): boolean {
  return check.status === "complete" || check.status === "failed";
}

function progressOf(check: Check, seq: number): Progress {
  return { seq, stage: check.stage, chunksDone: check.chunksDone, chunksTotal: check.chunksTotal };
}

/**
 * The order that a follower can rely on: no state twice, no stage skipped (one whose message was lost is shown when
 * the next one comes), and never fewer chunks done than before.
 */
export class ProgressSteps {
  readonly #show: (progress: Progress) => void;
  #last: Progress | undefined;

  constructor(show: (progress: Progress) => void) {
    this.#show = show;
  }

  show(progress: Progress): void {
    const last = this.#last;
    if (last !== undefined && progress.seq <= last.seq) return;
    if (last !== undefined && progress.stage !== null)
      this.#catchUp(last, CHECK_STAGES.indexOf(progress.stage), progress);
    this.#emit(progress);
  }

  /** Shows the stages that a complete check went through and that were not shown yet. */
  finish(end: Progress): void {
    if (this.#last !== undefined) this.#catchUp(this.#last, CHECK_STAGES.length, end);
  }

  #catchUp(last: Progress, upTo: number, { seq, chunksDone, chunksTotal }: Progress): void {
    const from = last.stage === null ? 0 : CHECK_STAGES.indexOf(last.stage) + 1;
    for (const stage of CHECK_STAGES.slice(from, upTo)) {
      const isAfterRetrieving = CHECK_STAGES.indexOf(stage) > CHECK_STAGES.indexOf("retrieving");
      this.#emit({ seq, stage, chunksDone: isAfterRetrieving ? chunksDone : last.chunksDone, chunksTotal });
    }
  }

  #emit(progress: Progress): void {
    const shown = { ...progress, chunksDone: Math.max(progress.chunksDone, this.#last?.chunksDone ?? 0) };
    this.#last = shown;
    this.#show(shown);
  }
}
