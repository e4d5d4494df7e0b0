/** The code that an app shows, for tests and attacks. */
import { stepAt, totpCode } from "../two-step/totp.ts";

/** @public for tests/attack. @param ahead half minutes */
export const codeOf = (secret: string, now: number, ahead = 0): string =>
  totpCode(secret, stepAt(now) + ahead);
