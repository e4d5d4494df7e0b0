/** A port's certificate, signed again each day, and when the machine's clock was changed by as much: it is valid by the new clock. */
import type { Log } from "#platform/log/log.ts";

const RENEW_MS = 24 * 60 * 60_000;
const LOOK_EVERY_MS = 60_000;

export interface KeepSignedOptions<Signed> {
  /** @param now milliseconds since 1970 */
  sign: (now: number) => Promise<Signed>;
  /** Subject of log messages: `the builder endpoint`. */
  what: string;
  log: Pick<Log, "error">;
  clock?: () => number;
}

export interface KeptSigned<Signed> {
  first: Signed;
  onRenewed: (listener: (signed: Signed) => void) => void;
  /** Signs it again when it is due. */
  look: () => Promise<void>;
  stop: () => void;
}

/** @throws the error of the first `sign` */
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
