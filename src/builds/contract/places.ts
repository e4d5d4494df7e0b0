/** Places of builds at builders; `queue/` has them. */
export interface GrantedPlace {
  buildId: string;
  platform: string;
  /** The server that should open it. */
  holder: string | null;
  waitedMs: number;
}

export interface Places {
  /** Adds the build to the queue, or keeps it there, unless it has ended. Clears an earlier error. */
  ask: (build: { id: string; project_id: string }, platform: string) => Promise<void>;
  /** Grants free places. */
  fill: (projectId: string) => Promise<void>;
  /** Called when its builder answers. */
  setOpened: (buildId: string, platform: string) => Promise<void>;
  /** Called when it has no builder: gives back its place. @param error for the client */
  setFailed: (
    place: { buildId: string; projectId: string; platform: string },
    error: string,
  ) => Promise<void>;
  /** Another server should open it. @param tried servers that could not */
  setTried: (buildId: string, platform: string, tried: readonly string[]) => Promise<void>;
  /** Whether a client of the build waits for a place or a builder. */
  isWaiting: (buildId: string) => Promise<boolean>;
  /** Called for every place that this server grants. */
  onGranted: (listener: (place: GrantedPlace) => void) => void;
}
