import { startTelemetry } from "../../telemetry/test-telemetry.ts";

export const consoleToken = "a-token-of-the-operator";
export const json = { "content-type": "application/json" };

/** The console with a token and a clock that the test moves. */
export function startConsole() {
  const state = { now: Date.parse("2026-11-21T10:00:00Z") };
  const telemetry = startTelemetry({ consoleToken, clock: () => state.now });
  const post = (path: string, body: object, options: { from?: string; cookie?: string } = {}) =>
    telemetry.request(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { ...json, "sec-fetch-site": "same-origin", cookie: options.cookie ?? "" },
      ...(options.from && { from: options.from }),
    });
  const signIn = (sent: string, from?: string) =>
    post("/console/sign-in", { token: sent }, { ...(from && { from }) });
  const read = (path: string, cookie = "") =>
    telemetry.request(`/console/api/${path}`, { headers: { cookie } });
  return { ...telemetry, state, post, signIn, read };
}

export const cookieOf = (response: Response) =>
  (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
