import type { APIRequestContext } from "@playwright/test";

/** CONSOLE_TOKEN of the tests' server. */
export const consoleToken = "the-console-token-of-the-tests";

/** Gives a browser's requests a session of the console. @throws when the server refuses */
export async function signInToConsole(request: APIRequestContext, origin: string): Promise<void> {
  const answer = await request.post(`${origin}/console/sign-in`, { data: { token: consoleToken } });
  if (!answer.ok()) throw new Error(`Signing in was answered with ${answer.status()}.`);
}
