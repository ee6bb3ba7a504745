import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** What a page shows of something that it fetches: the last that came stays while the next is on its way. */
export type Loaded<T> = {
  readonly value: T | undefined;
  /** Why the latest attempt failed; undefined when it did not. */
  readonly error: unknown;
  /** Whether what is shown is of another key than the latest. */
  readonly isStale: boolean;
  /** Fetches again; what is shown stays. */
  readonly reload: () => void;
  /** The same, unless something is on its way already: a service that is slow to answer gets to its answer. */
  readonly refresh: () => void;
  /** Shows what a request of this page has changed, and fetches again. */
  readonly change: (update: (value: T) => T) => void;
};

/**
 * Fetches, and fetches again when `key` changes; of several answers only the one for the latest key is taken.
 * @param load is given a signal that ends it
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [loaded, setLoaded] = useState<Settled<T>>({});
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  const isLoading = useRef(false);

  useEffect(() => {
    const ended = new AbortController();
    isLoading.current = true;
    const settle = (next: (before: Settled<T>) => Settled<T>) => {
      if (ended.signal.aborted) return;
      isLoading.current = false;
      setLoaded(next);
    };
    latest.current(ended.signal).then(
      (value) => settle(() => ({ value, key })),
      (error: unknown) => settle((before) => ({ ...before, error })),
    );
    return () => ended.abort();
  }, [key, round]);

  const reload = useCallback(() => setRound((current) => current + 1), []);
  const refresh = useCallback(() => isLoading.current || reload(), [reload]);
  useEffect(() => {
    // A page that the browser kept and shows again, by the back button, may be out of date.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && reload();
    addEventListener("pageshow", comeBack);
    return () => removeEventListener("pageshow", comeBack);
  }, [reload]);
  const change = useCallback((update: (value: T) => T) => {
    setLoaded((before) => (before.value === undefined ? before : { ...before, value: update(before.value) }));
    // What was asked for before the change would show it undone.
    setRound((current) => current + 1);
  }, []);
  return { value: loaded.value, error: loaded.error, isStale: loaded.key !== key, reload, refresh, change };
}

/** What came last, and of which key. */
type Settled<T> = { readonly value?: T; readonly error?: unknown; readonly key?: string };
