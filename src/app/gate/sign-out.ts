import { sendForm } from "../data/ask-server.ts";

/** Ends this browser's session and asks who it is. @param address of the page that asks */
export async function signOut(address = "/app/sign-in"): Promise<void> {
  // Whoever cannot be reached keeps the session; the next page says so.
  await sendForm("/auth/sign-out", {}).catch(() => {});
  // A new page removes everything that was read from memory.
  location.assign(address);
}
