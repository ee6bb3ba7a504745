import { calendarDate } from "../calendar-date.ts";

const GDELT_TIME = /^(\d{4})(\d{2})(\d{2})T?(\d{2})(\d{2})(\d{2})Z?$/;

/** Reads `20260115T093000Z` as RFC 3339, `2026-01-15T09:30:00.000Z`; undefined when there is no such moment. */
export function readGdeltTime(text: string): string | undefined {
  const [, year, month, day, hour, minute, second] = GDELT_TIME.exec(text.trim()) ?? [];
  const date = calendarDate(Number(year), Number(month), Number(day));
  const exists = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  return date !== undefined && exists ? `${date}T${hour}:${minute}:${second}.000Z` : undefined;
}
