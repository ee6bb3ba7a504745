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

/**
 * Follows a check by its stream, from its present state to its end; a reload of the page takes it up where it is. Only while
 * the page is in view: a browser keeps six connections to a host, and six checks in the background would take them all.
 */
export function useCheckProgress(checkId: string): CheckProgressState {
  const [state, setState] = useState(NOTHING_YET);
  const isInView = useIsInView();
  useEffect(() => setState(NOTHING_YET), [checkId]);
  useEffect(() => {
    if (!isInView) return;
    const left = new AbortController();
    const show = (change: Partial<CheckProgressState>) => setState((before) => ({ ...before, ...change }));
    follow(checkId, left.signal, show).catch((error: unknown) => {
      if (!left.signal.aborted) show({ error });
    });
    return () => left.abort();
  }, [checkId, isInView]);
  return state;
}

async function follow(
  checkId: string,
  signal: AbortSignal,
  show: (change: Partial<CheckProgressState>) => void,
): Promise<void> {
  for await (const event of engine.followCheck(checkId, { signal }))
    show("status" in event ? { end: event } : { progress: event, error: undefined });
}

function useIsInView(): boolean {
  const [isInView, setIsInView] = useState(document.visibilityState === "visible");
  useEffect(() => {
    const follow = () => setIsInView(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", follow);
    return () => document.removeEventListener("visibilitychange", follow);
  }, []);
  return isInView;
}
