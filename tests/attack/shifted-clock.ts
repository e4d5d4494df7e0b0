/**
 * Preloaded into the server under attack, in its main thread and workers: the time of day as JavaScript reads it can be
 * set while the server runs, and by `ATTACK_CLOCK_MS` from its start. Timers and `performance.now` continue, as they do
 * when a machine's clock is set.
 */
import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";

const NAME = "attack-clock";

/** One number, which all threads read. */
function openShift(): Float64Array {
  // Only this file sets it.
  const known = getEnvironmentData(NAME) as SharedArrayBuffer | undefined;
  if (known) return new Float64Array(known);
  const shift = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT));
  shift[0] = Number(process.env["ATTACK_CLOCK_MS"] ?? 0);
  if (isMainThread) setEnvironmentData(NAME, shift.buffer);
  return shift;
}

const shift = openShift();
const RealDate = Date;
const realNow = Date.now.bind(Date);
RealDate.now = () => realNow() + shift[0]!;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], made) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now()] : args, made) as object,
  apply: () => new RealDate(RealDate.now()).toString(),
});

export function setClock(shiftMs: number): void {
  shift[0] = shiftMs;
}
