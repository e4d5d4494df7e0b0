/**
 * 1. Playable events begin with the page's size and its first full snapshot, in order; earlier ones are counted as lost.
 * 2. Without a snapshot, with only one, and without any event, the reason is reported; damaged entries are left out.
 * 3. The timeline has pages, clicks with the clicked label, console lines with their level, and the kept events, in order;
 *    a page view that is in the recording does not appear twice.
 * 4. Made-up recordings (deep, long, of wrong types) neither throw nor take long.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { prepareEvents } from "./events.ts";
import { buildTimeline } from "./timeline.ts";

const meta = (timestamp: number, href = "https://docs.example.com/docs/faq?q=1") => ({
  type: 4,
  timestamp,
  data: { href, width: 800, height: 600 },
});
const button = {
  id: 9,
  type: 2,
  tagName: "button",
  childNodes: [{ id: 10, type: 3, textContent: "Copy  as Markdown" }],
};
const labelled = {
  id: 11,
  type: 2,
  tagName: "a",
  attributes: { "aria-label": "Millrace home" },
  childNodes: [],
};
const picture = (timestamp: number) => ({
  type: 2,
  timestamp,
  data: { node: { id: 1, childNodes: [button, labelled] } },
});
const change = (timestamp: number, data: object = { source: 3 }) => ({ type: 3, timestamp, data });
const click = (timestamp: number, id: number) => change(timestamp, { source: 2, type: 2, id });
const log = (timestamp: number, level: string, ...payload: string[]) => ({
  type: 6,
  timestamp,
  data: { plugin: "rrweb/console@1", payload: { level, payload } },
});

test("1. a whole recording, out of order", () => {
  const prepared = prepareEvents([change(30), picture(11), meta(10)]);
  expect(prepared).toEqual({ isPlayable: true, events: [meta(10), picture(11), change(30)], lost: 0 });
});

test("1. a recording whose beginning is lost", () => {
  const prepared = prepareEvents([change(1000), meta(2000), change(3000), picture(61_000), change(62_000)]);
  if (!prepared.isPlayable) throw new Error(prepared.reason);
  expect(prepared.lost).toBe(60_000);
  expect(prepared.events.map((event) => [event.type, event.timestamp])).toEqual([
    [4, 61_000],
    [2, 61_000],
    [3, 62_000],
  ]);
  expect(prepared.events[0]?.data).toEqual(meta(0).data);
});

test.each([
  ["empty", []],
  ["empty", [null, 7, "x", { type: "3" }, { type: 3, timestamp: Number.NaN, data: {} }]],
  ["no-picture", [meta(1), change(2)]],
  ["too-short", [meta(1), picture(2)]],
])("2. %s", (reason, events) => {
  expect(prepareEvents(events)).toEqual({ isPlayable: false, reason });
});

test("3. what happened", () => {
  const entries = buildTimeline(
    [
      meta(10),
      picture(11),
      click(50, 9),
      click(60, 11),
      click(61, 404),
      log(70, "warn", '"slow"', "3", "{broken"),
      log(80, "error", '"boom"'),
      { type: 5, timestamp: 90, data: { tag: "$session_idle" } },
      { type: 5, timestamp: 91, data: { tag: "copied" } },
    ],
    [
      { at: 12, name: "$pageview", detail: "/docs/faq" },
      { at: 65, name: "search", detail: "layer cache" },
      { at: 85, name: "$exception", detail: "" },
    ],
  );
  expect(entries.map(({ at, kind, text }) => [at, kind, text])).toEqual([
    [10, "page", "/docs/faq?q=1"],
    [50, "click", "Click on “Copy as Markdown”"],
    [60, "click", "Click on “Millrace home”"],
    [61, "click", "Click"],
    [65, "search", "search: layer cache"],
    [70, "console", "slow 3 {broken"],
    [80, "error", "boom"],
    [85, "error", "exception"],
    [91, "event", "copied"],
  ]);
});

test("3. without the recording's own pages the views that were kept stand for them", () => {
  const entries = buildTimeline([], [{ at: 1, name: "$pageview", detail: "/docs" }]);
  expect(entries).toEqual([{ at: 1, kind: "event", text: "pageview: /docs" }]);
});

test("4. made-up recordings", () => {
  let deep: object = { id: 1, childNodes: [] };
  for (let depth = 0; depth < 20_000; depth += 1) deep = { id: 2, childNodes: [deep] };
  const events = [{ type: 2, timestamp: 1, data: { node: deep } }, click(2, 1), click(3, 2)];
  expect(buildTimeline(events, [])).toHaveLength(2);
  fc.assert(
    fc.property(fc.array(fc.anything()), fc.array(fc.nat(8)), (junk, types) => {
      const events = types.map((type, index) => ({
        type,
        timestamp: index,
        data: { node: junk[index], adds: junk },
      }));
      prepareEvents([...junk, ...events]);
      buildTimeline([...junk, ...events], []);
    }),
  );
});
