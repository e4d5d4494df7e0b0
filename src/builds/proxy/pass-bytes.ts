/**
 * Bytes through the builder endpoint are charged to the share of the event loop of the build's organization (decision 057).
 * When it has used that up, its side is read further only when it has a turn. Nothing is refused.
 */
import type { Readable, Writable } from "node:stream";
import { PARSED } from "#platform/fair/limits.ts";
import { chargeBytes, workGate } from "#platform/fair/work-gate.ts";
import { notePassed } from "./young-memory.ts";

/** Size of a body that costs as much as a call. */
export const CALL_BYTES = 512 * 1024;

/** @returns undefined, or a promise that resolves when the call may continue, or is gone */
export type PaceCall = (organizationId: string, isGone: () => boolean) => Promise<void> | undefined;

/** For the calls of one connection, before each is judged: one call waits at the gate, the others wait for it. */
export function createCallPace(): PaceCall {
  let last: Promise<void> | undefined;
  return (organizationId, isGone) => {
    const pace = () => (isGone() ? undefined : workGate.pace(organizationId, CALL_BYTES));
    const turn = last ? last.then(pace) : pace();
    if (!turn) return undefined;
    last = turn;
    void turn.then(() => {
      if (last === turn) last = undefined;
    });
    return turn;
  };
}

/** For a client's certificate, which is signed and verified. */
export const chargeHandshake = (organizationId: string): void => chargeBytes(organizationId, CALL_BYTES);

/** For a message that is judged before it is forwarded. */
export const chargeJudged = (organizationId: string, bytes: number): void =>
  chargeBytes(organizationId, PARSED * bytes);

/**
 * Forwards everything that is read, and its end, as fast as the target accepts it and the organization has turns. The caller
 * handles errors and closes of either side.
 * @returns a function that stops it and ends reading
 */
export function passBytes(from: Readable, to: Writable, organizationId: string): () => void {
  let [isFull, hasTurn, isOver] = [to.writableNeedDrain, true, false];
  const goOn = () => void (!isFull && hasTurn && !isOver && from.resume());
  const onDrain = () => {
    isFull = false;
    goOn();
  };
  const onTurn = () => {
    hasTurn = true;
    goOn();
  };
  const pass = (chunk: Buffer) => {
    notePassed(chunk.length);
    if (!to.writable) return stop();
    isFull = !to.write(chunk);
    const turn = workGate.pace(organizationId, chunk.length);
    if (turn) {
      hasTurn = false;
      void turn.then(onTurn);
    }
    if (isFull || turn) from.pause();
  };
  const onEnd = () => void (to.writable && to.end());
  function stop(): void {
    isOver = true;
    from.off("data", pass).off("end", onEnd).pause();
    to.off("drain", onDrain).off("close", stop);
  }
  to.on("drain", onDrain).once("close", stop);
  from.on("data", pass).once("end", onEnd);
  if (from.readableEnded) onEnd();
  else if (isFull) from.pause();
  else from.resume();
  return stop;
}
