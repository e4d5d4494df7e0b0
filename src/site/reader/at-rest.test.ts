// @vitest-environment happy-dom
/**
 * 1. The pause is two seconds without a movement, a press, a key or scrolling; each restarts it.
 * 2. While the mouse is where notices open, or its position is unknown, there is no pause; a finger that has left the screen has
 *    no position.
 * 3. After `stop` nothing resolves.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRest, type Rest } from "./at-rest.ts";

let rest: Rest;
beforeEach(() => {
  vi.useFakeTimers();
  document.body.innerHTML = '<section class="notices"></section>';
  document.querySelector(".notices")!.getBoundingClientRect = () => new DOMRect(600, 700, 400, 0);
  Object.assign(window, { innerHeight: 700 });
  rest = createRest();
  move(100, 100);
});
afterEach(() => {
  rest.stop();
  vi.useRealTimers();
});

async function hasRested(milliseconds: number, waiting: { isOver: boolean }) {
  await vi.advanceTimersByTimeAsync(milliseconds);
  return waiting.isOver;
}

function begin() {
  const waiting = { isOver: false };
  void rest.wait().then(() => (waiting.isOver = true));
  return waiting;
}

const move = (clientX: number, clientY: number, pointerType = "mouse") =>
  dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, pointerType }));

test.each(["pointermove", "pointerdown", "keydown", "scroll"])("1. %s", async (type) => {
  const waiting = begin();
  expect(await hasRested(1900, waiting)).toBe(false);
  dispatchEvent(new Event(type));
  expect(await hasRested(1900, waiting)).toBe(false);
  expect(await hasRested(200, waiting)).toBe(true);
});

test("2. the mouse, and a finger", async () => {
  move(700, 600);
  const waiting = begin();
  expect(await hasRested(60_000, waiting)).toBe(false);
  move(100, 600);
  expect(await hasRested(2100, waiting)).toBe(true);
  move(700, 600, "touch");
  expect(await hasRested(2100, begin())).toBe(true);
});

test("2. a mouse that was not heard of", async () => {
  rest.stop();
  rest = createRest();
  const waiting = begin();
  expect(await hasRested(60_000, waiting)).toBe(false);
  move(100, 100);
  expect(await hasRested(2100, waiting)).toBe(true);
});

test("3. the end", async () => {
  const waiting = begin();
  rest.stop();
  expect(await hasRested(10_000, waiting)).toBe(false);
});
