/** Times as the reader's own clock and calendar show them. */

const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const WHOLE = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });
/** Words, and so in the language of the pages. */
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** From here on a date says more than a number of days. */
const RECENT_S = 7 * DAY_S;

/** Date and time, as `21 Nov 2026, 19:50`. */
export function moment(at: string): string {
  return SHORT.format(new Date(at));
}

/** Everything about a time, down to its zone. */
export function wholeMoment(at: string): string {
  return WHOLE.format(new Date(at));
}

/** How long ago it was, as `5 minutes ago`; the date once a week has gone by. */
export function age(at: string, now: number): string {
  // A clock that is a little behind the service's would see the future.
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1000));
  if (seconds >= RECENT_S) return moment(at);
  if (seconds >= DAY_S) return RELATIVE.format(-Math.floor(seconds / DAY_S), "day");
  if (seconds >= HOUR_S) return RELATIVE.format(-Math.floor(seconds / HOUR_S), "hour");
  if (seconds >= MINUTE_S) return RELATIVE.format(-Math.floor(seconds / MINUTE_S), "minute");
  return "just now";
}
