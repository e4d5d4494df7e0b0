import { confirmIdentity, type IdentityAnswer, NOT_CONFIRMED } from "./confirming.ts";

/** How questions reach the server. It asks the first ones of a page itself, without a network (`.server/first-answers.ts`). */
export type Send = (address: string, init: RequestInit) => Promise<Response>;

let send: Send = (address, init) => fetch(address, init);

/** What the server does only for who has just shown who they are is sent again, as it was, once that is done. */
export async function sendRequest(address: string, init: RequestInit): Promise<Response> {
  const response = await send(address, init);
  if (!needsIdentity(response)) return response;
  const answer = await confirmIdentity();
  return answer === "confirmed" ? sendRequest(address, init) : refuse(answer);
}

export const needsIdentity = (response: Response) => response.headers.get("millrace-confirm") === "required";

/** In the form of the server's own refusals, so that every action says it as it says them. */
const refuse = (answer: Exclude<IdentityAnswer, "confirmed">) =>
  Response.json(
    { code: "canceled", message: `nothing was changed: ${NOT_CONFIRMED[answer]}` },
    { status: 403 },
  );

export function replaceSending(replacement: Send): void {
  send = replacement;
}
