import { sendForm } from "../data/ask-server.ts";
import { signInAddress } from "./next-page.ts";

/** Ends this browser's session and asks who it is. @param path where to come back to */
export async function signOut(path?: string): Promise<void> {
  // Whoever cannot be reached keeps the session; the next page says so.
  await sendForm("/auth/sign-out", {}).catch(() => {});
  // A new page removes everything that was read from memory.
  location.assign(path === undefined ? "/app/sign-in" : signInAddress(path));
}
