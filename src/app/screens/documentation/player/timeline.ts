import { cutText } from "../../../format.ts";
import { EVENT_TYPE, isObject, isRecordedEvent, type RecordedEvent } from "./events.ts";
import { nameClickedNodes } from "./node-names.ts";

export interface TimelineEntry {
  /** Milliseconds since 1970. */
  at: number;
  kind: "page" | "click" | "search" | "console" | "error" | "event";
  text: string;
  /** Level of a console message. */
  level?: string;
}

const CLICK_INTERACTION = 2;
const MOUSE_INTERACTION_SOURCE = 2;

/** The events of a visit, in order: from the recording itself and from the separately kept events. */
export function buildTimeline(
  raw: unknown[],
  kept: { at: number; name: string; detail: string }[],
): TimelineEntry[] {
  const events = raw.filter(isRecordedEvent);
  const isClick = (event: RecordedEvent) =>
    event.type === EVENT_TYPE.incremental &&
    event.data["source"] === MOUSE_INTERACTION_SOURCE &&
    event.data["type"] === CLICK_INTERACTION;
  const names = nameClickedNodes(
    events,
    new Set(events.filter(isClick).map((event) => Number(event.data["id"]))),
  );
  const recorded = events.flatMap((event): TimelineEntry[] => {
    if (isClick(event)) {
      const name = names.get(Number(event.data["id"]));
      return [
        { at: event.timestamp, kind: "click", text: name ? `Click on “${cutText(name, 60)}”` : "Click" },
      ];
    }
    const entry = entryOf(event);
    return entry ? [entry] : [];
  });
  const hasPages = recorded.some((entry) => entry.kind === "page");
  // The recording's time of a page is more exact than the event's.
  const others = kept.filter((event) => !(hasPages && event.name === "$pageview")).map(entryOfKept);
  return [...recorded, ...others].sort((a, b) => a.at - b.at);
}

function entryOf({ type, data, timestamp: at }: RecordedEvent): TimelineEntry | undefined {
  if (type === EVENT_TYPE.meta) return { at, kind: "page", text: pathOf(String(data["href"] ?? "")) };
  if (type === EVENT_TYPE.custom) {
    const tag = String(data["tag"] ?? "");
    // Tags with $ are the recorder's own notes about itself.
    return tag && !tag.startsWith("$") ? { at, kind: "event", text: cutText(tag, 80) } : undefined;
  }
  if (type !== EVENT_TYPE.plugin || !String(data["plugin"]).startsWith("rrweb/console")) return undefined;
  const payload = isObject(data["payload"]) ? data["payload"] : {};
  const level = String(payload["level"] ?? "log");
  const parts = Array.isArray(payload["payload"]) ? payload["payload"].map(String) : [];
  return {
    at,
    kind: level === "error" ? "error" : "console",
    level,
    text: cutText(parts.map(unquote).join(" "), 300),
  };
}

function entryOfKept({ at, name, detail }: { at: number; name: string; detail: string }): TimelineEntry {
  const kind = /error|exception/i.test(name) ? "error" : name.startsWith("search") ? "search" : "event";
  const label = name.replace(/^\$/, "").replaceAll("_", " ");
  return { at, kind, text: cutText(detail ? `${label}: ${detail}` : label, 300) };
}

function pathOf(href: string): string {
  try {
    const url = new URL(href);
    return cutText(url.pathname + url.search + url.hash, 120);
  } catch {
    return cutText(href, 120) || "A page without an address";
  }
}

/** The recorder writes each argument as JSON. */
function unquote(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}
