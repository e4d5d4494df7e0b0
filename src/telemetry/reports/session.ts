/** The operator's session: a cookie signed with a key that a restart and a changed token end. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";

const sessionMilliseconds = 12 * 3_600_000;
export const cookieName = "millrace-console";

export interface Sessions {
  isToken: (token: string) => boolean;
  /** @returns the cookie's value and its age in seconds. */
  begin: () => { value: string; maxAge: number };
  isValid: (cookie: string | undefined) => boolean;
}

/** `<expires>.<nonce>.<signature>`; nothing is kept on the server. */
export function createSessions(token: string, clock: () => number): Sessions {
  const key = createHmac("sha256", randomBytes(32)).update(token).digest();
  const sign = (payload: string) => createHmac("sha256", key).update(payload).digest("base64url");
  return {
    isToken: (candidate) => isEqual(candidate, token),
    begin() {
      const payload = `${clock() + sessionMilliseconds}.${randomBytes(9).toString("base64url")}`;
      return { value: `${payload}.${sign(payload)}`, maxAge: sessionMilliseconds / 1000 };
    },
    isValid(cookie) {
      const end = cookie?.lastIndexOf(".") ?? -1;
      if (cookie === undefined || end < 0) return false;
      const payload = cookie.slice(0, end);
      return isEqual(cookie.slice(end + 1), sign(payload)) && Number(payload.split(".")[0]) > clock();
    },
  };
}

/** Takes the same time wherever two texts differ, and whatever their lengths are. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
