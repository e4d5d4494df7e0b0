/** The certificate of a port, signed anew each day, and when the machine's clock has been set by as much: by that clock it is good. */
import type { Log } from "#platform/log/log.ts";

const RENEW_MS = 24 * 60 * 60_000;
const LOOK_EVERY_MS = 60_000;

export interface KeepSignedOptions<Signed> {
  /** @param now milliseconds since 1970 */
  sign: (now: number) => Promise<Signed>;
  /** Of messages: `the builders' door`. */
  what: string;
  log: Pick<Log, "error">;
  clock?: () => number;
}

export interface KeptSigned<Signed> {
  first: Signed;
  onRenewed: (listener: (signed: Signed) => void) => void;
  /** Signs it anew where it is time to. */
  look: () => Promise<void>;
  stop: () => void;
}

/** @throws what `sign` throws at first */
export async function keepSigned<Signed>({
  sign,
  what,
  log,
  clock = Date.now,
}: KeepSignedOptions<Signed>): Promise<KeptSigned<Signed>> {
  const listeners: ((signed: Signed) => void)[] = [];
  let signedAt = clock();
  const first = await sign(signedAt);
  const look = async () => {
    const now = clock();
    if (Math.abs(now - signedAt) < RENEW_MS) return;
    try {
      const signed = await sign(now);
      signedAt = now;
      for (const listen of listeners) listen(signed);
    } catch (error) {
      log.error(`Could not renew the certificate of ${what}. Retrying.`, { error });
    }
  };
  const looking = setInterval(() => void look(), LOOK_EVERY_MS).unref();
  return {
    first,
    onRenewed: (listener) => void listeners.push(listener),
    look,
    stop: () => clearInterval(looking),
  };
}
