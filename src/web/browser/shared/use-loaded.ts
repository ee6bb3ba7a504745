import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useWindowEvent } from "./use-window-event.ts";

/** The state of a request. The last value stays visible while the next one loads. */
type Loaded<T> = {
  readonly value: T | undefined;
  readonly error: unknown;
  /** Whether the value belongs to an earlier key. */
  readonly isStale: boolean;
  readonly reload: () => void;
  /** Loads again unless a request is under way, so that a slow service gets to answer. */
  readonly refresh: () => void;
  /** Shows a change that this page has made, and loads again. */
  readonly change: (update: (value: T) => T) => void;
};

/** Loads a value, again whenever `key` changes. Responses to earlier keys are dropped. */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Settled<T>>({});
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const isLoading = useRef(false);

  useEffect(() => {
    const left = new AbortController();
    isLoading.current = true;
    const settle = (next: (before: Settled<T>) => Settled<T>) => {
      if (left.signal.aborted) return;
      isLoading.current = false;
      setLoaded(next);
    };
    latest.current(left.signal).then(
      (value) => settle(() => ({ value, key })),
      (error: unknown) => settle((before) => ({ ...before, error })),
    );
    return () => left.abort();
  }, [key, attempt]);

  const reload = useCallback(() => setAttempt((current) => current + 1), []);
  const refresh = useCallback(() => isLoading.current || reload(), [reload]);
  usePageRestored(reload);
  const change = useCallback((update: (value: T) => T) => {
    setLoaded((before) => (before.value === undefined ? before : { ...before, value: update(before.value) }));
    // The response to an earlier request would undo the change.
    setAttempt((current) => current + 1);
  }, []);
  return { value: loaded.value, error: loaded.error, isStale: loaded.key !== key, reload, refresh, change };
}

type Settled<T> = { readonly value?: T; readonly error?: unknown; readonly key?: string };

/** Calls back when the browser restores the page from its back/forward cache, where its state may be out of date. */
export function usePageRestored(onRestored: () => void): void {
  useWindowEvent("pageshow", ({ persisted }) => {
    if (persisted) onRestored();
  });
}

/** A stream per row would be faster than polling, but browsers keep only six connections per host. */
const REFRESH_MS = 1_000;

/** Calls `refresh` periodically while `isActive` and the page is visible. */
export function useRefreshed(isActive: boolean, refresh: () => void, intervalMs = REFRESH_MS): void {
  useEffect(() => {
    if (!isActive) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") refresh();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [isActive, refresh, intervalMs]);
}

type Following<Event> = {
  readonly follow: (signal: AbortSignal) => AsyncIterable<Event>;
  readonly isEnd: (event: Event) => boolean;
  /** Whether an error says that there is nothing left to follow. */
  readonly isGone: (error: unknown) => boolean;
  /** Called when it has ended or is gone. */
  readonly onEnd: () => void;
};

/** Follows the progress of something while the page is visible: browsers keep six connections per host. */
export function useFollowed<Event>(key: string, following: Following<Event>) {
  const [progress, setProgress] = useState<Event>();
  const [error, setError] = useState<unknown>();
  const isVisible = useIsVisible();
  const latest = useRef(following);
  latest.current = following;
  useEffect(() => {
    if (!isVisible) return;
    const left = new AbortController();
    const follow = async () => {
      for await (const event of latest.current.follow(left.signal)) {
        if (latest.current.isEnd(event)) return latest.current.onEnd();
        setProgress(() => event);
        setError(undefined);
      }
    };
    follow().catch((failure: unknown) => {
      if (left.signal.aborted) return;
      if (latest.current.isGone(failure)) latest.current.onEnd();
      else setError(failure);
    });
    return () => left.abort();
  }, [key, isVisible]);
  return { progress, error };
}

function useIsVisible(): boolean {
  const [isVisible, setIsVisible] = useState(document.visibilityState === "visible");
  useEffect(() => {
    const follow = () => setIsVisible(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", follow);
    return () => document.removeEventListener("visibilitychange", follow);
  }, []);
  return isVisible;
}
