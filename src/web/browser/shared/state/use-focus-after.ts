import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Moves the focus when `isOpen` turns false, as from a field that has done its work back to the button that opened it.
 * @returns what to give as `ref` to the element that is to have the focus
 */
export function useFocusAfter<Element extends HTMLElement>(isOpen: boolean) {
  const target = useRef<Element>(null);
  const wasOpen = useRef(isOpen);
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen) target.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  return target;
}
