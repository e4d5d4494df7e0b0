/** Passkeys. The library is loaded on first use. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/browser";
import { Refusal, sendForm } from "../data/ask-server.ts";
import type { Next } from "../data/answers.ts";

/** A challenge lives for five minutes; a waiting one is renewed before that. */
const AUTOFILL_RENEWAL_MS = 4 * 60_000;

interface Challenge<Options> {
  state: string;
  options: Options;
}

/** The server's input for storing a new passkey. */
export interface NewPasskey {
  state: string;
  response: RegistrationResponseJSON;
}

type Purpose = { for: "add" } | { for: "start" | "join"; key: string; name: string };

const load = () => import("@simplewebauthn/browser");

/** Browsers offer passkeys on https and on localhost only. */
export const hasPasskeys = () => typeof window.PublicKeyCredential === "function";

/** @throws Refusal, also when the person cancels */
export async function createPasskey(purpose: Purpose): Promise<NewPasskey> {
  const [{ startRegistration }, { state, options }] = await Promise.all([
    load(),
    sendForm<Challenge<PublicKeyCredentialCreationOptionsJSON>>("/auth/passkey/options", purpose),
  ]);
  const response = await startRegistration({ optionsJSON: options }).catch(refuse);
  return { state, response };
}

/** @throws Refusal, also when the person cancels */
export async function signInWithPasskey(): Promise<Next> {
  const [{ startAuthentication }, { state, options }] = await Promise.all([load(), askToSignIn()]);
  const response = await startAuthentication({ optionsJSON: options }).catch(refuse);
  return finish(state, response);
}

/**
 * Requests a passkey that the server accepts as proof.
 * @throws Refusal, also when the person or the signal cancels
 */
export async function provePasskey(
  path: string,
  signal: AbortSignal,
): Promise<{ state: string; response: AuthenticationResponseJSON }> {
  const [{ startAuthentication, WebAuthnAbortService }, { passkey }] = await Promise.all([
    load(),
    sendForm<{ passkey: Challenge<PublicKeyCredentialRequestOptionsJSON> | null }>(path, {}),
  ]);
  if (!passkey)
    throw new Refusal("not_found", "You have no passkey that can be used here. Choose another way.");
  if (signal.aborted) refuse(signal.reason);
  signal.addEventListener("abort", () => WebAuthnAbortService.cancelCeremony());
  const response = await startAuthentication({ optionsJSON: passkey.options }).catch(refuse);
  return { state: passkey.state, response };
}

/**
 * Offers passkeys in the list of the mail address field. Ends when the signal is aborted or the button starts its own
 * sign-in: browsers allow only one at a time.
 * @throws Refusal by the server
 */
export async function offerInField(signal: AbortSignal): Promise<Next | null> {
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } = await load();
  if (!(await browserSupportsWebAuthnAutofill())) return null;
  while (!signal.aborted) {
    const { state, options } = await askToSignIn();
    if (signal.aborted) return null;
    let isRenewed = false;
    const timer = setTimeout(() => {
      isRenewed = true;
      WebAuthnAbortService.cancelCeremony();
    }, AUTOFILL_RENEWAL_MS);
    const response = await startAuthentication({ optionsJSON: options, useBrowserAutofill: true }).catch(
      () => null,
    );
    clearTimeout(timer);
    if (response) return finish(state, response);
    if (!isRenewed) return null;
  }
  return null;
}

const askToSignIn = () =>
  sendForm<Challenge<PublicKeyCredentialRequestOptionsJSON>>("/auth/passkey/options", { for: "sign-in" });

const finish = (state: string, response: AuthenticationResponseJSON) =>
  sendForm<Next>("/auth/passkey/sign-in", { state, response });

/** Browsers do not distinguish a canceled request from one without a matching passkey. */
function refuse(error: unknown): never {
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError" || name === "AbortError")
    throw new Refusal("canceled", "No passkey was used. Try again, or choose another way.");
  if (name === "InvalidStateError")
    throw new Refusal("already_exists", "This device already has a passkey for you.");
  throw new Refusal(
    "unknown",
    `The browser cannot use a passkey here: ${error instanceof Error ? error.message : error}`,
  );
}
