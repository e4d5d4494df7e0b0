/**
 * Bytes that go through the door, for the build's organization: they are charged to its part of the event loop (decision 057),
 * and where it has used that up, its side is read on when it has a turn. Nothing is refused for it.
 */
import type { Readable, Writable } from "node:stream";
import { PARSED } from "#platform/fair/limits.ts";
import { chargeBytes, workGate } from "#platform/fair/work-gate.ts";
import { notePassed } from "./young-memory.ts";

/** Of a body that costs as much as a call. */
export const CALL_BYTES = 512 * 1024;

/** @returns nothing, or when the call may go on, or has gone */
export type PaceCall = (organizationId: string, isGone: () => boolean) => Promise<void> | undefined;

/** For the calls of one connection, before each is looked at: one of them waits at the gate, the others behind it. */
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

/** A client has shown its certificate, which is signed and verified. */
export const chargeHandshake = (organizationId: string): void => chargeBytes(organizationId, CALL_BYTES);

/** Of a message that is judged before it goes on. */
export const chargeJudged = (organizationId: string, bytes: number): void =>
  chargeBytes(organizationId, PARSED * bytes);

/**
 * Passes on all that is read, as fast as it is taken and as the organization has turns, and its end. An error or a close of
 * either side is for the caller to see.
 * @returns what stops it, and reads no more
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
