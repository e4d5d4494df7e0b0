/** Tasks of the page's own thread, in CPU time: other load on the machine changes nothing. */
import type { Browser, Page } from "@playwright/test";

export interface Tasks {
  /** Number of tasks over 50 ms of CPU. */
  long: number;
  /** Milliseconds of CPU. */
  longest: number;
  /** 95th percentile of tasks of one millisecond or more. */
  usual: number;
  /** Total of all tasks, in milliseconds. */
  sum: number;
  /** Frames drawn, including late ones. */
  frames: number;
}

interface TraceEvent {
  tid: number;
  pid: number;
  name?: string;
  /** CPU time, in microseconds. */
  tdur?: number;
  cat?: string;
  args?: { name?: string };
}

export async function traceTasks(browser: Browser, page: Page, act: () => Promise<unknown>): Promise<Tasks> {
  await browser.startTracing(page, {
    categories: ["toplevel", "__metadata", "disabled-by-default-devtools.timeline.frame"],
  });
  await act();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const main = trace.traceEvents.find(({ args }) => args?.name === "CrRendererMain");
  const own = trace.traceEvents.filter(({ tid, pid }) => tid === main?.tid && pid === main?.pid);
  const times = own
    .flatMap(({ tdur }) => (tdur === undefined ? [] : tdur / 1000))
    .toSorted((one, other) => one - other);
  const work = times.filter((time) => time >= 1);
  return {
    long: times.filter((time) => time > 50).length,
    longest: times.at(-1) ?? 0,
    usual: work[Math.floor(work.length * 0.95)] ?? 0,
    sum: times.reduce((sum, time) => sum + time, 0),
    frames: trace.traceEvents.filter(({ name }) => name === "DrawFrame").length,
  };
}

/** The page's heap after a garbage collection, in MB. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return Math.round(usedSize / 1e6);
}

export const sayTasks = ({ long, longest, usual, sum, frames }: Tasks): string =>
  `${long} long tasks, longest ${longest.toFixed(1)} ms, 95 % of those from 1 ms up to ${usual.toFixed(1)} ms, ${Math.round(sum)} ms in all, ${frames} frames`;
