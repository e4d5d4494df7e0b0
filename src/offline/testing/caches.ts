import type { PackCaches } from "../stored-pack.ts";

export interface TestCaches extends PackCaches {
  /** The paths below one cache's name. */
  paths: (name: string) => string[];
  /** Called before each entry is written; it may throw. */
  beforePut: (url: string) => void;
}

/** Cache storage in memory, as far as the offline copy uses it. */
export function createTestCaches(): TestCaches {
  const stored = new Map<string, Map<string, Response>>();
  const keyOf = (request: RequestInfo | URL) => new URL(String(request), "https://docs.example.com").href;
  const caches: TestCaches = {
    beforePut: () => {},
    paths: (name) => [...(stored.get(name)?.keys() ?? [])].map((url) => new URL(url).pathname),
    keys: async () => [...stored.keys()],
    delete: async (name) => stored.delete(name),
    match: async (request, options) =>
      stored
        .get(options?.cacheName ?? "")
        ?.get(keyOf(request))
        ?.clone(),
    open: async (name) => {
      const entries = stored.get(name) ?? new Map<string, Response>();
      stored.set(name, entries);
      const put: Cache["put"] = async (request, response) => {
        caches.beforePut(keyOf(request));
        entries.set(keyOf(request), response);
      };
      const keys: Cache["keys"] = async () => [...entries.keys()].map((url) => new Request(url));
      // Only these methods are called.
      return { put, keys } as Cache;
    },
  };
  return caches;
}
