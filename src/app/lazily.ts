/**
 * Creates an object on first use: two dozen date formatters take a slow processor longer than a screen's code.
 *
 *     const clock = lazily(() => new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" }));
 *     clock().format(at);
 */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
