import { test as base } from "@playwright/test";

export { expect } from "@playwright/test";

interface Closable {
  close: () => unknown;
}

/** Closes the started object when the worker ends. */
export type Keep = <Started extends Closable>(started: Promise<Started>) => Promise<Started>;

/**
 * The only fixture of workers. Playwright ends a worker, with its browser and servers, before a test with other
 * fixtures of this scope. An object that is started once is in a variable: closed by `keep` if several files use it,
 * else by the file's `afterAll`.
 */
export const test = base.extend<object, { keep: Keep }>({
  keep: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright wants an object pattern
    async ({}, use) => {
      const kept: Promise<Closable>[] = [];
      await use((started) => {
        kept.push(started);
        return started;
      });
      // A failed start has failed its test already.
      await Promise.all(
        kept.map((each) =>
          each.then(
            (started) => started.close(),
            () => {},
          ),
        ),
      );
    },
    { scope: "worker", timeout: 60_000 },
  ],
});
