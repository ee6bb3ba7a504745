import type { Logger } from "../logger.ts";
import { Notifications } from "./notifications.ts";

/** Receives each state of a check or a batch in turn, then one end. */
export type Viewer<State, Ended> = {
  readonly show: (state: State) => void;
  readonly end: (ended: Ended) => void;
  /** Aborted when the viewer has gone. */
  readonly closed: AbortSignal;
};

type FollowersOptions<Message> = {
  readonly channel: string;
  /** The identifier in a payload and what its followers are told; undefined for a payload that nobody understands. */
  readonly read: (payload: string) => { readonly id: string; readonly message: Message } | undefined;
  /** Told to everyone when notifications may have been lost: the tables have the current state. */
  readonly missed: Message;
};

/** Passes the notifications about checks or batches on to their followers in this process, whichever process works on them. */
export class Followers<Message> {
  readonly #byId = new Map<string, Set<(message: Message) => void>>();
  readonly #notifications: Notifications;

  constructor(databaseUrl: string, { channel, read, missed }: FollowersOptions<Message>, log: Logger) {
    const onPayload = (payload: string) => {
      const told = read(payload);
      if (told !== undefined) this.#tell(told.id, told.message);
      else log.warn({ channel }, "ignored a notification of unknown shape");
    };
    const onReconnect = () => {
      for (const id of this.#byId.keys()) this.#tell(id, missed);
    };
    this.#notifications = new Notifications(databaseUrl, channel, { onPayload, onReconnect }, log);
  }

  async open(): Promise<void> {
    await this.#notifications.open();
  }

  async close(): Promise<void> {
    await this.#notifications.close();
  }

  /** Calls `onMessage` for each message about `id` until the returned function is called. */
  follow(id: string, onMessage: (message: Message) => void): () => void {
    const ofId = this.#byId.get(id) ?? new Set();
    ofId.add(onMessage);
    this.#byId.set(id, ofId);
    return () => {
      ofId.delete(onMessage);
      if (ofId.size === 0) this.#byId.delete(id);
    };
  }

  #tell(id: string, message: Message): void {
    for (const onMessage of this.#byId.get(id) ?? []) onMessage(message);
  }
}
