/** The calls that wait, in memory: a queue for each webhook. */
import { MAX_WAITING_WEBHOOK_BYTES } from "../protocol/limits.ts";

/** A call that was given up. The message has neither the webhook's address nor its headers. */
export class WebhookError extends Error {}

/** The calls of one webhook that wait; it ends with the last of them. */
interface Queue {
  last: Promise<unknown>;
  bytes: number;
  /** Reported once, until there is room again. */
  isFull: boolean;
}

export function createQueues(onError: (error: unknown) => void) {
  const queues = new Map<string, Queue>();

  /**
   * Each webhook has an equal share of the bytes, so that a dead one does not use up those of the others. One without waiting
   * calls gets its tasks even if they exceed the share.
   */
  function hasRoom(uuid: string, bytes: number, uuids: readonly string[]): boolean {
    const queue = queues.get(uuid);
    if (!queue) return bytes <= MAX_WAITING_WEBHOOK_BYTES;
    // Deleted webhooks may still have calls that wait.
    const shares = new Set([...uuids, ...queues.keys()]).size;
    return queue.bytes + bytes <= MAX_WAITING_WEBHOOK_BYTES / shares;
  }

  function refuse(uuid: string, count: number): void {
    const queue = queues.get(uuid);
    if (queue?.isFull) return;
    if (queue) queue.isFull = true;
    onError(
      new WebhookError(`${count} finished tasks were not sent to the webhook ${uuid}: too many calls wait.`),
    );
  }

  function add(uuid: string, bytes: number, run: () => Promise<void>): void {
    const queue = queues.get(uuid) ?? { last: Promise.resolve(), bytes: 0, isFull: false };
    queues.set(uuid, queue);
    queue.bytes += bytes;
    queue.isFull = false;
    queue.last = queue.last
      .then(run)
      .catch(onError)
      .then(() => {
        queue.bytes -= bytes;
        if (queue.bytes === 0) queues.delete(uuid);
      });
  }

  return {
    /** The webhooks that have room for a call; the others are reported. `count` is the number of its tasks. */
    choose: (uuids: readonly string[], { bytes, count }: { bytes: number; count: number }) =>
      uuids.filter((uuid) => {
        const isReady = hasRoom(uuid, bytes, uuids);
        if (!isReady) refuse(uuid, count);
        return isReady;
      }),
    add,
  };
}
