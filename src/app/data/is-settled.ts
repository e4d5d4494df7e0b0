interface Read {
  isPending: boolean;
  failureCount: number;
}

/** Every one is answered, or has failed once: a screen whose parts stand below each other appears whole, and nothing moves. */
export const isSettled = (...reads: readonly Read[]): boolean =>
  reads.every(({ isPending, failureCount }) => !isPending || failureCount > 0);
