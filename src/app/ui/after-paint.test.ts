/**
 * 1. It runs after the next frame, not in it. 2. A canceled run does not happen, before or after the frame. 3. A hidden
 *    page does not wait for a frame.
 */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { afterPaint } from "./after-paint.ts";

let frames: Map<number, () => void>;
const page = { hidden: false };
const drawFrame = () => {
  const due = [...frames.values()];
  frames.clear();
  for (const run of due) run();
};

beforeEach(() => {
  frames = new Map();
  page.hidden = false;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("document", page);
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => {
    const id = frames.size + 1;
    frames.set(id, run);
    return id;
  });
  vi.stubGlobal("cancelAnimationFrame", (id: number) => frames.delete(id));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("1. after the frame", () => {
  const run = vi.fn();
  afterPaint(run);
  vi.runAllTimers();
  expect(run).not.toHaveBeenCalled();
  drawFrame();
  expect(run).not.toHaveBeenCalled();
  vi.runAllTimers();
  expect(run).toHaveBeenCalledOnce();
});

test("2. taken back", () => {
  const run = vi.fn();
  const takeBack = afterPaint(run);
  takeBack();
  drawFrame();
  vi.runAllTimers();
  const takeBackLate = afterPaint(run);
  drawFrame();
  takeBackLate();
  vi.runAllTimers();
  expect(run).not.toHaveBeenCalled();
});

test("3. a hidden page", () => {
  page.hidden = true;
  const run = vi.fn();
  afterPaint(run);
  vi.runAllTimers();
  expect(run).toHaveBeenCalledOnce();
  afterPaint(run)();
  vi.runAllTimers();
  expect(run).toHaveBeenCalledOnce();
});
