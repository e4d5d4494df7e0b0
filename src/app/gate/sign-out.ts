import { sendForm } from "../data/ask-server.ts";

/** Ends this browser's session and shows the sign-in. @param address of the page to show */
export async function signOut(address = "/app/sign-in"): Promise<void> {
  // If the server cannot be reached, the session remains; the next page shows it.
  await sendForm("/auth/sign-out", {}).catch(() => {});
  // Loading a new page removes all read data from memory.
  location.assign(address);
}
