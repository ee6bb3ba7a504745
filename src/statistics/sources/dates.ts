/** A day in ISO 8601, `2008-05-22`; undefined when there is no such day. */
function calendarDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= YEAR_MIN;
  return exists && year <= YEAR_MAX ? date.toISOString().slice(0, 10) : undefined;
}

/** No journal is older, and no source looks further ahead: any other year is an error in the file. */
export const YEAR_MIN = 1600;
export const YEAR_MAX = 2199;

/** Month, day and year; a time of day is ignored. */
const US_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]m)?)?$/i;
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/;

/** Reads `5/22/2008 0:00`, and `2008-05-22` as well; undefined for anything else. The result is an ISO 8601 day. */
export function readUsDate(text: string): string | undefined {
  const [, month, day, year] = US_DATE.exec(text) ?? [];
  if (year !== undefined) return calendarDate(Number(year), Number(month), Number(day));
  const [, isoYear, isoMonth, isoDay] = ISO_DATE.exec(text) ?? [];
  return isoYear === undefined ? undefined : calendarDate(Number(isoYear), Number(isoMonth), Number(isoDay));
}

const GDELT_TIME = /^(\d{4})(\d{2})(\d{2})T?(\d{2})(\d{2})(\d{2})Z?$/;

/** Reads `20260115T093000Z` as RFC 3339, `2026-01-15T09:30:00.000Z`; undefined when there is no such moment. */
export function readGdeltTime(text: string): string | undefined {
  const [, year, month, day, hour, minute, second] = GDELT_TIME.exec(text.trim()) ?? [];
  const date = calendarDate(Number(year), Number(month), Number(day));
  const exists = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  return date !== undefined && exists ? `${date}T${hour}:${minute}:${second}.000Z` : undefined;
}
