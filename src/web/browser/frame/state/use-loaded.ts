import { useCallback, useEffect, useRef, useState } from "preact/hooks";

/** What a page shows of something that it fetches: the last that came stays while the next is on its way. */
export type Loaded<T> = {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Fetches again; what is shown stays. */
  readonly reload: () => void;
};

/**
 * Fetches, and fetches again when `key` changes; of several answers only the one for the latest key is taken.
 * @param load is given a signal that ends it
 */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [value, setValue] = useState<T>();
  const [error, setError] = useState<unknown>();
  const [isLoading, setIsLoading] = useState(true);
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    const ended = new AbortController();
    setIsLoading(true);
    latest
      .current(ended.signal)
      .then(
        (loaded) => {
          if (ended.signal.aborted) return;
          setValue(() => loaded);
          setError(undefined);
        },
        (failure: unknown) => {
          if (!ended.signal.aborted) setError(failure);
        },
      )
      .finally(() => {
        if (!ended.signal.aborted) setIsLoading(false);
      });
    return () => ended.abort();
  }, [key, round]);

  return { value, error, isLoading, reload: useCallback(() => setRound((current) => current + 1), []) };
}
