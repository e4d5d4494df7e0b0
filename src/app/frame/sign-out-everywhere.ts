import { call } from "../data/call.ts";
import { signInAddress } from "../gate/next-page.ts";
import { showToast } from "../ui/toast.ts";

/** Ends the sessions of every browser, including this one. */
export async function signOutEverywhere(): Promise<void> {
  try {
    await call("AccountService/EndSignIn", { all: true });
  } catch (error) {
    showToast({ text: `Not signed out. ${error instanceof Error ? error.message : ""}`, isFailure: true });
    return;
  }
  // Loading a new page removes all read data from memory.
  location.assign(signInAddress("/app"));
}
