import { confirmIdentity, type IdentityAnswer, NOT_CONFIRMED } from "./confirming.ts";

/** How questions reach the server. It asks a page's first ones itself, without a network (`.server/first-answers.ts`). */
export type Send = (address: string, init: RequestInit) => Promise<Response>;

let send: Send = (address, init) => fetch(address, init);

/** Requests that need a confirmed identity are sent again, unchanged, once it is confirmed. */
export async function sendRequest(address: string, init: RequestInit): Promise<Response> {
  const response = await send(address, init);
  if (!needsIdentity(response)) return response;
  const answer = await confirmIdentity();
  return answer === "confirmed" ? sendRequest(address, init) : refuse(answer);
}

export const needsIdentity = (response: Response) => response.headers.get("millrace-confirm") === "required";

/** Has the form of the server's own refusals, so that every action reports it the same way. */
const refuse = (answer: Exclude<IdentityAnswer, "confirmed">) =>
  Response.json(
    { code: "canceled", message: `nothing was changed: ${NOT_CONFIRMED[answer]}` },
    { status: 403 },
  );

export function replaceSending(replacement: Send): void {
  send = replacement;
}
