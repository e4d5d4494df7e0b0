import type { DocsHit, SearchBody } from "./protocol.ts";

/** Test double: a `fetch` whose requests wait until the test answers, fails or aborts them. */
interface FakeRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal | null;
  resolve: (response: Response) => void;
  reject: (reason: unknown) => void;
}

export class FakeServer {
  readonly requests: FakeRequest[] = [];
  #isAutomatic = false;
  #waiting: { count: number; resolve: () => void }[] = [];

  readonly fetch: typeof fetch = (input, init) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const signal = init?.signal ?? null;
    signal?.addEventListener("abort", () => reject(signal.reason));
    this.requests.push({
      // Always a string here: the client builds it.
      url: input as string,
      method: init?.method ?? "GET",
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: String(init?.body),
      signal,
      resolve,
      reject,
    });
    if (this.#isAutomatic) this.answer(this.requests.length - 1);
    for (const waiting of this.#waiting) if (this.requests.length >= waiting.count) waiting.resolve();
    return promise;
  };

  get bodies(): string[] {
    return this.requests.map(({ body }) => body);
  }

  /** Resolves when `count` requests have arrived. */
  received(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ count, resolve });
    return promise;
  }

  /** Waits until all answers have reached their callers: promise callbacks run before a task. */
  settled(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const channel = new MessageChannel();
    channel.port1.addEventListener("message", () => {
      channel.port1.close();
      resolve();
    });
    channel.port1.start();
    channel.port2.postMessage(null);
    return promise;
  }

  answer(index: number, { hits = [], total = hits.length }: { hits?: DocsHit[]; total?: number } = {}): void {
    const { queries } = JSON.parse(this.#request(index).body) as SearchBody;
    const results = queries.map(({ indexUid, q = "", limit, offset }) => {
      return { indexUid, query: q, hits, processingTimeMs: 1, limit, offset, estimatedTotalHits: total };
    });
    this.answerWith(index, 200, JSON.stringify({ results }));
  }

  answerWith(index: number, status: number, body: string): void {
    const statusText = { 200: "OK", 500: "Internal Server Error", 503: "Service Unavailable" }[status] ?? "";
    this.#request(index).resolve(new Response(body, { status, statusText }));
  }

  /** The connection drops. */
  fail(index: number): void {
    this.#request(index).reject(new TypeError("Failed to fetch"));
  }

  answerEverything(): void {
    this.#isAutomatic = true;
  }

  #request(index: number): FakeRequest {
    const request = this.requests[index];
    if (!request)
      throw new Error(`Only ${this.requests.length} requests have come; there is no number ${index}.`);
    return request;
  }
}
