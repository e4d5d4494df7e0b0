/** A reader who leaves a page sooner has not read it. */
const READ_MS = 10_000;

/**
 * Fetches features that start without a request (`page/page.ts`): immediately for a reader who wraps lines of code or has been
 * on this page before, else once the page counts as read. Without storage, nothing is fetched.
 * @returns a function that stops this.
 */
export function startLatePage(path: string): () => void {
  let delay = READ_MS;
  try {
    const { wrap, visits } = localStorage;
    if (wrap || visits?.includes(`"${path}"`)) delay = 0;
  } catch {
    return () => {};
  }
  const readAt = Date.now() + READ_MS;
  let stop: (() => void) | undefined;
  let isLeft = false;
  const timer = setTimeout(
    () =>
      import("./page/page.ts").then(
        ({ startPage }) => {
          if (!isLeft) stop = startPage(path, readAt);
        },
        () => {}, // The same as at a first visit.
      ),
    delay,
  );
  return () => {
    isLeft = true;
    clearTimeout(timer);
    stop?.();
  };
}
