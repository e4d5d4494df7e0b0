/** How questions reach the server. It asks the first ones of a page itself, without a network (`.server/first-answers.ts`). */
export type Send = (address: string, init: RequestInit) => Promise<Response>;

let send: Send = (address, init) => fetch(address, init);

export const sendRequest: Send = (address, init) => send(address, init);

export function replaceSending(replacement: Send): void {
  send = replacement;
}
