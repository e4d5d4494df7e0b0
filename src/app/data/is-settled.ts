interface Read {
  isPending: boolean;
  failureCount: number;
}

/** Every read is answered, or has failed once: a screen with stacked parts appears whole, and nothing moves. */
export const isSettled = (...reads: readonly Read[]): boolean =>
  reads.every(({ isPending, failureCount }) => !isPending || failureCount > 0);
