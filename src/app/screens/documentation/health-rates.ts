/** The counter's value at a moment of this browser's clock. */
export interface Sample {
  at: number;
  /** Requests accepted since the server's start. */
  total: number;
  startedAt: number;
}

/** Two minutes at one sample every two seconds. */
const KEPT = 60;

/** A restarted server counts from zero, so earlier samples do not apply. */
export function addSample(samples: Sample[], next: Sample): Sample[] {
  const last = samples.at(-1);
  if (last && last.startedAt !== next.startedAt) return [next];
  return [...samples.slice(1 - KEPT), next];
}

/** Requests per second between each sample and the one before it, to one decimal. */
export function ratesOf(samples: Sample[]): { at: number; perSecond: number }[] {
  return samples.slice(1).flatMap((sample, index) => {
    const former = samples[index] ?? sample;
    const seconds = (sample.at - former.at) / 1000;
    // The browser's clock was set back.
    if (seconds <= 0) return [];
    return [{ at: sample.at, perSecond: Math.round(((sample.total - former.total) / seconds) * 10) / 10 }];
  });
}
