import { invalidInput } from "../../http/input/parse.ts";
import type { Window } from "../rates/windows.ts";

/**
 * The window that a request means: the one it names, or the default. Undefined before any load, as there are none.
 * @throws DomainError `invalid_input` that names the windows there are.
 */
export function chooseWindow(windows: readonly Window[], id: string | undefined): Window | undefined {
  if (id === undefined) return windows.find(({ isDefault }) => isDefault);
  const chosen = windows.find((window) => window.id === id);
  if (chosen !== undefined) return chosen;
  if (windows.length === 0 && WINDOW_ID.test(id)) return undefined;
  const message =
    windows.length === 0
      ? "must be a span of years such as 2013-2017"
      : `must be one of ${windows.map((window) => window.id).join(", ")}`;
  throw invalidInput([{ field: "window", message }]);
}

const WINDOW_ID = /^\d{4}-\d{4}$/;
