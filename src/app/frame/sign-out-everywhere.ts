import { call } from "../data/call.ts";
import { signInAddress } from "../gate/next-page.ts";
import { showToast } from "../ui/toast.ts";

/** Ends the sessions of every browser, this one too. */
export async function signOutEverywhere(): Promise<void> {
  try {
    await call("AccountService/EndSignIn", { all: true });
  } catch (error) {
    showToast({ text: `Not signed out. ${error instanceof Error ? error.message : ""}`, isFailure: true });
    return;
  }
  // A new page removes everything that was read from memory.
  location.assign(signInAddress("/app"));
}
