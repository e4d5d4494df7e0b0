import { setImmediate as nextTurn } from "node:timers/promises";

/** Characters or bytes of work between two turns of the event loop: a few milliseconds of reading and cleaning. */
const UNITS_PER_TURN = 200_000;

export interface Turns {
  /** Lets other requests go first if enough was done since the last turn. @param units that were just done */
  after: (units: number) => Promise<void> | undefined;
}

/** Keeps one large request from delaying all others, by doing its work in pieces. */
export function createTurns(unitsPerTurn = UNITS_PER_TURN): Turns {
  let done = 0;
  return {
    after(units) {
      done += units;
      if (done < unitsPerTurn) return undefined;
      done = 0;
      return nextTurn();
    },
  };
}
