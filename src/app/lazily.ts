/**
 * What is made when it is first needed: two dozen formatters of dates take a slow processor longer than a screen's code.
 *
 *     const clock = lazily(() => new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" }));
 *     clock().format(at);
 */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
