import { z } from "zod";
import type { Logger } from "../../platform/logger.ts";
import { Notifications } from "../../platform/postgres/notifications.ts";
import { CHECK_STAGES, type Progress } from "../check.ts";
import { PROGRESS_CHANNEL } from "../check-store.ts";

/** What a follower of a check is told. After `missed`, messages may be lacking: the tables have the present state. */
export type ProgressMessage =
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

/** Hands the progress of every check, whichever process runs it, to those who follow it here. */
export class ProgressHub {
  readonly #followers = new Map<string, Set<(message: ProgressMessage) => void>>();
  readonly #notifications: Notifications;
  readonly #log: Logger;

  constructor(databaseUrl: string, log: Logger) {
    this.#log = log;
    this.#notifications = new Notifications(
      databaseUrl,
      PROGRESS_CHANNEL,
      { onPayload: (payload) => this.#deliver(payload), onReconnect: () => this.#missed() },
      log,
    );
  }

  async open(): Promise<void> {
    await this.#notifications.open();
  }

  async close(): Promise<void> {
    await this.#notifications.close();
  }

  /** Calls `onMessage` for each message about the check from now on, until the function it gives back is called. */
  follow(checkId: string, onMessage: (message: ProgressMessage) => void): () => void {
    const followers = this.#followers.get(checkId) ?? new Set();
    followers.add(onMessage);
    this.#followers.set(checkId, followers);
    return () => {
      followers.delete(onMessage);
      if (followers.size === 0) this.#followers.delete(checkId);
    };
  }

  #deliver(payload: string): void {
    const parsed = Payload.safeParse(readJson(payload));
    if (!parsed.success) {
      this.#log.warn("progress message of an unknown shape passed over");
      return;
    }
    const message = parsed.data;
    for (const onMessage of this.#followers.get(message.check_id) ?? []) {
      if (message.status === "running") {
        const { seq, stage, chunks_done: chunksDone, chunks_total: chunksTotal } = message;
        onMessage({ kind: "progress", progress: { seq, stage, chunksDone, chunksTotal } });
      } else {
        onMessage({ kind: "ended" });
      }
    }
  }

  #missed(): void {
    for (const followers of this.#followers.values()) {
      for (const onMessage of followers) onMessage({ kind: "missed" });
    }
  }
}

/** Any role of the database may send on the channel: what is no JSON is of an unknown shape, too. */
function readJson(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
