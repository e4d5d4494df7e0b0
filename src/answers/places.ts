/** Places for answers that are written at the same time: of the server, and of each network. */

export interface Places {
  readonly size: number;
  /** @returns a function that frees the place, or null when there is none */
  take: (network: string) => (() => void) | null;
}

export function createPlaces(most: number, mostPerNetwork: number): Places {
  const taken = new Map<string, number>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    take(network) {
      const own = taken.get(network) ?? 0;
      if (size >= most || own >= mostPerNetwork) return null;
      size++;
      taken.set(network, own + 1);
      let isFree = false;
      return () => {
        if (isFree) return;
        isFree = true;
        size--;
        const left = taken.get(network)! - 1;
        if (left === 0) taken.delete(network);
        else taken.set(network, left);
      };
    },
  };
}
