/**
 * The parts of rrweb's events that the console reads. They come from readers' browsers: their shape is not guaranteed.
 * `type` 2 is a full snapshot of the page, 3 a change to it, 4 the page's address and size, 5 an event of the recorder's
 * owner, 6 one of a plug-in (source: rrweb's `EventType`).
 */
export interface RecordedEvent {
  type: number;
  timestamp: number;
  data: { [name: string]: unknown };
}

export const EVENT_TYPE = { fullSnapshot: 2, incremental: 3, meta: 4, custom: 5, plugin: 6 } as const;

export const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === "object" && value !== null;

export type Playable =
  | {
      isPlayable: true;
      events: RecordedEvent[];
      /** Milliseconds at the beginning that cannot be shown, because their base snapshot is missing. */
      lost: number;
    }
  | { isPlayable: false; reason: "empty" | "no-picture" | "too-short" };

const STAND_IN = { width: 1280, height: 800 };

/** In order, from the first full snapshot on, preceded by the page's size. */
export function prepareEvents(raw: unknown[]): Playable {
  const events = raw.filter(isRecordedEvent).toSorted((a, b) => a.timestamp - b.timestamp);
  const first = events[0];
  if (!first) return { isPlayable: false, reason: "empty" };
  const picture = events.findIndex((event) => event.type === EVENT_TYPE.fullSnapshot);
  if (picture < 0) return { isPlayable: false, reason: "no-picture" };
  const start = events[picture] ?? first;
  const before = events.slice(0, picture).findLast((event) => event.type === EVENT_TYPE.meta);
  // A page's address and size come right before its snapshot; an older event only gives the size.
  const isOwn = before !== undefined && start.timestamp - before.timestamp < 1000;
  const meta: RecordedEvent = {
    type: EVENT_TYPE.meta,
    data: before?.data ?? { href: "", ...STAND_IN },
    timestamp: isOwn ? before.timestamp : start.timestamp,
  };
  const playable = [meta, ...events.slice(picture)];
  if (playable.length < 3) return { isPlayable: false, reason: "too-short" };
  return { isPlayable: true, events: playable, lost: meta.timestamp - first.timestamp };
}

export function isRecordedEvent(value: unknown): value is RecordedEvent {
  return (
    isObject(value) &&
    typeof value["type"] === "number" &&
    typeof value["timestamp"] === "number" &&
    Number.isFinite(value["timestamp"]) &&
    isObject(value["data"])
  );
}
