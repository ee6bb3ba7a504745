import { z } from "zod";
import type { Logger } from "../platform/logger.ts";
import type { Database } from "../platform/postgres/database.ts";
import { Followers, type Viewer } from "../platform/postgres/followers.ts";
import { checkNotFound } from "../report/index.ts";
import { CHECK_STAGES } from "./check.ts";
import type { Check, CheckStore, Progress } from "./check-store.ts";
import { PROGRESS_CHANNEL } from "./run-store.ts";

/**
 * Shows a check's state, then each change, then its end with the ended check, or undefined if it was deleted. `open` is called once the
 * check is known. @throws `check_not_found`
 */
export type FollowCheck = (checkId: string, open: () => Viewer<Progress, Check | undefined>) => Promise<void>;

type FollowCheckParts = {
  readonly database: Database;
  readonly checks: CheckStore;
  readonly hub: ProgressHub;
};

/** Subscribes before it reads the state, so that no change is lost. Messages are numbered, so older ones are recognised. */
export function createFollowCheck({ database, checks, hub }: FollowCheckParts): FollowCheck {
  return async (checkId, open) => {
    const inbox: ProgressMessage[] = [];
    let wake = () => {};
    const unfollow = hub.follow(checkId, (message) => {
      inbox.push(message);
      wake();
    });
    try {
      const known = await checks.find(database, checkId);
      if (known === undefined) throw checkNotFound(checkId);
      const viewer = open();
      viewer.closed.addEventListener("abort", () => wake(), { once: true });
      const steps = new ProgressSteps(viewer.show);
      if (hasEnded(known)) return viewer.end(known);
      steps.show(progressOf(known));
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
          const found = await checks.find(database, checkId);
          if (found?.status === "complete") steps.finish(progressOf(found));
          if (found === undefined || hasEnded(found)) return viewer.end(found);
          steps.show(progressOf(found));
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

function progressOf({ seq, stage, chunksDone, chunksTotal }: Check): Progress {
  return { seq, stage, chunksDone, chunksTotal };
}

/**
 * Guarantees the order of states that a viewer sees: no state twice, no stage skipped (a stage whose message was lost is shown
 * before the next one), and never fewer chunks done than before.
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

  /** Shows the stages of a complete check that have not been shown yet. */
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

/** A message to a follower of a check. After `missed`, messages may have been lost; the tables have the current state. */
type ProgressMessage =
  | { readonly kind: "progress"; readonly progress: Progress }
  | { readonly kind: "ended" }
  | { readonly kind: "missed" };

const Payload = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("running"),
    check_id: z.string(),
    seq: z.number(),
    stage: z.enum(CHECK_STAGES).nullable(),
    chunks_done: z.number(),
    chunks_total: z.number(),
  }),
  z.object({ status: z.literal(["complete", "failed", "deleted"]), check_id: z.string() }),
]);

type ProgressHub = Followers<ProgressMessage>;

/** Delivers the progress of every check, whichever process runs it, to its followers in this process. */
export function createProgressHub(databaseUrl: string, log: Logger): ProgressHub {
  const options = { channel: PROGRESS_CHANNEL, read: readMessage, missed: { kind: "missed" } } as const;
  return new Followers<ProgressMessage>(databaseUrl, options, log);
}

function readMessage(payload: string): { id: string; message: ProgressMessage } | undefined {
  const { data } = Payload.safeParse(readJson(payload));
  if (data === undefined) return undefined;
  const id = data.check_id;
  if (data.status !== "running") return { id, message: { kind: "ended" } };
  const { seq, stage, chunks_done: chunksDone, chunks_total: chunksTotal } = data;
  return { id, message: { kind: "progress", progress: { seq, stage, chunksDone, chunksTotal } } };
}

/** Undefined for invalid JSON: any role of the database may send on the channel. */
function readJson(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
