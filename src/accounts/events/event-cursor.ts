/**
 * A reader's place in the stream: `7k.mi4rcx8q` is number 272 at a time in milliseconds, both in base 36. Everything up to
 * the number was sent; the time shows whether later events may have been removed since.
 */
export interface Cursor {
  /** The last event's number. */
  id: number;
  /** When it was sent, in milliseconds since 1970. */
  time: number;
}

const FORM = /^([0-9a-z]{1,10})\.([0-9a-z]{1,9})$/;

export const formatCursor = ({ id, time }: Cursor): string => `${id.toString(36)}.${time.toString(36)}`;

/** @returns null for a text that is not a cursor */
export function readCursor(text: string): Cursor | null {
  const [, id, time] = FORM.exec(text) ?? [];
  if (id === undefined || time === undefined) return null;
  return { id: Number.parseInt(id, 36), time: Number.parseInt(time, 36) };
}
