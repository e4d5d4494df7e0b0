/** Counts per name and in total. */
export function createCounts() {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    of: (key: string) => counts.get(key) ?? 0,
    all: () => all,
    /** @returns a function that subtracts it again */
    add(key: string): () => void {
      all += 1;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return () => {
        all -= 1;
        const left = (counts.get(key) ?? 0) - 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      };
    },
  };
}
