import { useEffect, useRef, useState } from "preact/hooks";

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
