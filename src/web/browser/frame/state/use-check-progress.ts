import { useEffect, useState } from "preact/hooks";
import type { ProgressEnd, ProgressEvent } from "../../../../client/index.ts";
import { engine } from "../engine.ts";

export type CheckProgressState = {
  /** Undefined until the stream has said something. */
  readonly progress: ProgressEvent | undefined;
  /** How the check ended; undefined while it goes on. */
  readonly end: ProgressEnd | undefined;
  readonly error: unknown;
};

const NOTHING_YET: CheckProgressState = { progress: undefined, end: undefined, error: undefined };

/** Follows a check by its stream, from its present state to its end; a reload of the page takes it up where it is. */
export function useCheckProgress(checkId: string): CheckProgressState {
  const [state, setState] = useState(NOTHING_YET);
  useEffect(() => {
    const left = new AbortController();
    setState(NOTHING_YET);
    follow(checkId, left.signal, (change) => setState((before) => ({ ...before, ...change }))).catch(
      (error: unknown) => {
        if (!left.signal.aborted) setState((before) => ({ ...before, error }));
      },
    );
    return () => left.abort();
  }, [checkId]);
  return state;
}

async function follow(
  checkId: string,
  signal: AbortSignal,
  show: (change: Partial<CheckProgressState>) => void,
): Promise<void> {
  for await (const event of engine.followCheck(checkId, { signal }))
    show("status" in event ? { end: event } : { progress: event });
}
