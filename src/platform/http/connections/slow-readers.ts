/** Reclaims memory and places from readers that take nothing of their answers, and from requests that never arrive. */
import { constants } from "node:http2";
import type { Context } from "hono";
import type { AnyRequest } from "./connection.ts";
import { cutConnection, findConnection, type GuardState, isStalled } from "./guard-state.ts";
import { sharesOf } from "./connection-limits.ts";
import { isTakenBack } from "./stream-resets.ts";
import { findTooSlow, isSessionOver } from "./session-times.ts";

// Node's answer to a request whose headers take too long.
const TOO_SLOW = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";

/** Whether another answer may be made for this client now. */
export function hasRoomForAnswer(state: GuardState, context: Context): boolean {
  const { unsent, limits } = state;
  unsent.measure();
  if (unsent.bytes === 0) return true;
  if (unsent.bytes > limits.unsentBytes) cutStalled(state);
  // `env` is passed by the adapter and has no type.
  const { incoming } = (context.env ?? {}) as { incoming?: AnyRequest };
  const connection = incoming && findConnection(state, incoming);
  if (unsent.bytes > limits.unsentBytes) return false;
  if (!connection || connection.isExempt) return true;
  const shares = sharesOf(connection, limits.unsentBytesPerAddress, limits.unsentBytes);
  return connection.keys.every((key, level) => unsent.bytesOf(key) <= shares[level]!);
}

/** Frees the memory of readers that take nothing, the largest answers first. */
function cutStalled(state: GuardState): void {
  const { places, unsent, limits } = state;
  const stalled = [...places.all.values()].filter((each) => each.unsent > 0 && isStalled(state, each));
  for (const connection of stalled.sort((a, b) => b.unsent - a.unsent)) {
    if (unsent.bytes <= limits.unsentBytes) return;
    cutConnection(state, connection);
    unsent.release(connection);
  }
}

export function sweepConnections(state: GuardState): void {
  const { places, unsent, limits } = state;
  const now = state.clock();
  unsent.measure();
  for (const connection of places.all.values()) {
    for (const { response } of connection.session ? connection.exchanges : [])
      if ("stream" in response && isTakenBack(response.stream)) response.stream.destroy();
    for (const { response } of unsent.stalledAnswers(connection, limits.unreadMs))
      if ("stream" in response) response.stream.close(constants.NGHTTP2_CANCEL);
    const isUnread = connection.isBlocked && unsent.isStalled(connection, limits.unreadMs);
    const slow = connection.session ? null : findTooSlow(connection, now, limits);
    if (slow && !slow.response.headersSent) connection.carrier.write(TOO_SLOW);
    if (slow || isUnread || isSessionOver(connection, now, limits)) cutConnection(state, connection);
  }
}
