import { useLayoutEffect, useRef } from "preact/hooks";

/** Listens for an event of the window from the first paint on. The latest handler receives it. */
export function useWindowEvent<Name extends keyof WindowEventMap>(
  name: Name,
  handler: (event: WindowEventMap[Name]) => void,
): void {
  const latest = useRef(handler);
  latest.current = handler;
  useLayoutEffect(() => {
    const listen = (event: WindowEventMap[Name]) => latest.current(event);
    addEventListener(name, listen);
    return () => removeEventListener(name, listen);
  }, [name]);
}
