// @vitest-environment happy-dom
/**
 * 1. The choices and the SDKs are loaded for readers who have agreed, at the start or later, here or in
 *    another tab; not before an answer, not after a no, and never where the operator has switched both off.
 * 2. Kept errors are sent in order, and later errors after them.
 * 3. Tracked events reach the listener; without one they are dropped.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const telemetry = vi.hoisted(() => ({ analytics: true, recording: true }));
const startReader = vi.hoisted(() => vi.fn<() => object>(() => ({})));
const report = vi.hoisted(() => vi.fn<(event: Event) => void>());
vi.mock("#config", () => ({ siteConfig: { telemetry } }));
vi.mock("./reader/start-reader.ts", () => ({ startReader }));
vi.mock("#telemetry/browser/error-reports.ts", () => ({ report }));

async function start() {
  vi.resetModules();
  const glue = await import("./telemetry.ts");
  glue.startTelemetry();
  return glue;
}

const idle: (() => void)[] = [];
beforeEach(() => {
  window.requestIdleCallback = (callback) =>
    idle.push(() => callback({ didTimeout: false, timeRemaining: () => 50 }));
});

afterEach(() => {
  idle.length = 0;
  localStorage.clear();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
  Object.assign(telemetry, { analytics: true, recording: true });
  delete window.keptErrors;
});

describe("the choices and the SDKs", () => {
  it.each([
    [null, false, false],
    [null, true, false],
    ["necessary", false, false],
    ["analytics", false, true],
    // Data from an earlier agreement must be removed, so the code that removes it is loaded.
    ["analytics recording", true, true],
  ])("(1) after %s, refusing browser %s: loaded %s", async (stored, isRefusing, isLoaded) => {
    if (stored) localStorage.setItem("millrace-consent", stored);
    vi.stubGlobal("navigator", { doNotTrack: isRefusing ? "1" : null });
    await start();
    expect(idle.length > 0).toBe(isLoaded);
    for (const run of idle) run();
    if (isLoaded) await vi.waitFor(() => expect(startReader).toHaveBeenCalledOnce());
  });

  it("(1) are loaded once the reader agrees", async () => {
    await start();
    localStorage.setItem("millrace-consent", "analytics");
    dispatchEvent(new StorageEvent("storage", { key: "another" }));
    expect(idle).toEqual([]);
    dispatchEvent(new StorageEvent("storage", { key: "millrace-consent" }));
    // Other tests' clients receive it as well.
    expect(idle.length).toBeGreaterThan(0);
  });

  it("(1) are never loaded where both are switched off", async () => {
    Object.assign(telemetry, { analytics: false, recording: false });
    await start();
    expect(idle).toEqual([]);
  });
});

it("(2) sends what was kept, then what comes", async () => {
  const events = [new Event("error"), new Event("error"), new Event("error")] as const;
  window.keptErrors = [events[0], events[1]];
  await start();
  window.keptErrors.push(events[2]);
  await vi.waitFor(() => expect(report).toHaveBeenCalledTimes(3));
  expect(report.mock.calls.map(([event]) => event)).toEqual(events);
  expect(window.keptErrors).toHaveLength(0);
});

it("(3) tells the listener, and no one without one", async () => {
  const { track, setTrackListener } = await import("./tracked-events.ts");
  const listener = vi.fn<(name: string, detail: unknown) => void>();
  track("feedback", { answer: "yes" });
  setTrackListener(listener);
  track("feedback", { answer: "no" });
  setTrackListener(undefined);
  track("feedback", { answer: "yes" });
  expect(listener.mock.calls).toEqual([["feedback", { answer: "no" }]]);
});
