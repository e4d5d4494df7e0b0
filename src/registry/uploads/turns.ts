/** Runs work with the same key one after the other, in the order of arrival. */
export function createTurns(): <Result>(key: string, run: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();
  return (key, run) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(run);
    // The next one runs even if this one fails.
    const over = mine.then(
      () => {},
      () => {},
    );
    last.set(key, over);
    void over.then(() => {
      if (last.get(key) === over) last.delete(key);
    });
    return mine;
  };
}
