/** Organizations' credentials for other registries. */
import type { Caller } from "#accounts/index.ts";

export interface MirrorCredentials {
  host: string;
  username: string;
  /** The name of the person who set them last, and when, in milliseconds since 1970. */
  setBy: string;
  setAt: number;
}

export interface MirrorLogin {
  host: string;
  username: string;
  password: string;
}

/** For owners of the organization that the caller acts in. All methods throw `Refused`. */
export interface Mirrors {
  /** Sorted by host. */
  list(caller: Caller): Promise<MirrorCredentials[]>;
  set(caller: Caller, login: MirrorLogin): Promise<MirrorCredentials>;
  delete(caller: Caller, host: string): Promise<void>;
}
