/** Sends events as `text/event-stream`, as fast as their reader takes them. */

export const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  // Otherwise proxies would buffer some kilobytes first.
  "X-Accel-Buffering": "no",
};

interface StreamOptions {
  /** Milliseconds of silence after which a comment is sent. */
  keepAliveMs: number;
  /** Called once the reader has left. */
  onLeave: () => void;
}

/** @param events which does not throw */
export function streamEvents(
  events: AsyncIterator<{ event: string; data: object }>,
  { keepAliveMs, onLeave }: StreamOptions,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: ReturnType<typeof events.next> | null = null;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      next ??= events.next();
      const result = await inTime(next, keepAliveMs);
      if (result === null) return controller.enqueue(encoder.encode(": the model is writing\n\n"));
      next = null;
      if (result.done) return controller.close();
      const { event, data } = result.value;
      // JSON has no line breaks, which would end a message.
      controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
    },
    cancel: onLeave,
  });
}

/** @returns null when it takes longer */
async function inTime<Value>(coming: Promise<Value>, ms: number): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), ms)));
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
  }
}
