/** A day of the calendar as ISO 8601 writes it, `2008-05-22`, or undefined when there is no such day. */
export function calendarDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= YEAR_MIN;
  return exists && year <= YEAR_MAX ? date.toISOString().slice(0, 10) : undefined;
}

/** No journal is older, and no source looks further ahead: a year outside is an error of the file. */
export const YEAR_MIN = 1600;
export const YEAR_MAX = 2199;
