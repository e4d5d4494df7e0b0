/** Messages of `text/event-stream`: https://html.spec.whatwg.org/multipage/server-sent-events.html */

export interface EventMessage {
  event: "hello" | "change" | "too-old" | "ping" | "bye";
  /** The cursor that the reader sends when it reconnects. */
  id?: string;
  data: object;
}

/** JSON has no line breaks, which would end a message. */
export function writeMessage({ event, id, data }: EventMessage): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}
