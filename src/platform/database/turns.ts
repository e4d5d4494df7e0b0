/**
 * Transactions of one process, in order of arrival: many at the same time, or one alone.
 *
 *   shared  shared  │ alone │ shared  shared        later arrivals do not overtake one that waits to be alone
 */
export interface Turns {
  run<Result>(work: () => Promise<Result>, isAlone?: boolean): Promise<Result>;
}

interface Waiting {
  isAlone: boolean;
  start: () => void;
}

export function createTurns(): Turns {
  const waiting: Waiting[] = [];
  let running = 0;
  let isOneAlone = false;

  function startNext(): void {
    for (let next = waiting[0]; next && !isOneAlone && !(next.isAlone && running > 0); next = waiting[0]) {
      waiting.shift();
      running += 1;
      isOneAlone = next.isAlone;
      next.start();
    }
  }

  return {
    async run(work, isAlone = false) {
      await new Promise<void>((start) => {
        waiting.push({ isAlone, start });
        startNext();
      });
      try {
        return await work();
      } finally {
        running -= 1;
        if (isAlone) isOneAlone = false;
        startNext();
      }
    },
  };
}
