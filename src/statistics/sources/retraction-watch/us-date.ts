import { calendarDate } from "../calendar-date.ts";

/** Month, day and year; any time of the day after it says nothing. */
const US_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]m)?)?$/i;
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/;

/** Reads `5/22/2008 0:00`, and `2008-05-22` as well; undefined for anything else. The result is an ISO 8601 day. */
export function readUsDate(text: string): string | undefined {
  const [, month, day, year] = US_DATE.exec(text) ?? [];
  if (year !== undefined) return calendarDate(Number(year), Number(month), Number(day));
  const [, isoYear, isoMonth, isoDay] = ISO_DATE.exec(text) ?? [];
  return isoYear === undefined ? undefined : calendarDate(Number(isoYear), Number(isoMonth), Number(isoDay));
}
