/** Receives each state of a check or a batch in turn, then one end. */
export type Viewer<State, Ended> = {
  readonly show: (state: State) => void;
  readonly end: (ended: Ended) => void;
  /** Aborted when the viewer has gone. */
  readonly closed: AbortSignal;
};

/** Passes messages about checks or batches on to their followers in this process. */
export class Followers<Message> {
  readonly #byId = new Map<string, Set<(message: Message) => void>>();

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

  /** Passes a message about `id` on to its followers. */
  tell(id: string, message: Message): void {
    for (const onMessage of this.#byId.get(id) ?? []) onMessage(message);
  }

  /** Passes a message on to everyone. */
  tellAll(message: Message): void {
    for (const id of this.#byId.keys()) this.tell(id, message);
  }
}
