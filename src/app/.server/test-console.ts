import { origin, requestTo, startTelemetry } from "../../telemetry/test-telemetry.ts";
import { createConsoleRoutes } from "./console-routes.ts";

export const consoleToken = "a-token-of-the-operator";
export const json = { "content-type": "application/json" };

/** The console with a clock that the test moves. @param token null: nobody can sign in */
export function startConsole(token: string | null = consoleToken) {
  const state = { now: Date.parse("2026-11-21T10:00:00Z") };
  const clock = () => state.now;
  const { store, ...telemetry } = startTelemetry({ clock });
  const { app, makeLink } = createConsoleRoutes({
    telemetry: { ...telemetry, store },
    config: { flags: [], surveys: [] },
    token,
    origin,
    root: process.cwd(),
    isWritable: false,
    clock,
  });
  const request = requestTo(app);
  const post = (path: string, body: object, options: { from?: string; cookie?: string } = {}) =>
    request(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { ...json, "sec-fetch-site": "same-origin", cookie: options.cookie ?? "" },
      ...(options.from && { from: options.from }),
    });
  const signIn = (sent: string, from?: string) =>
    post("/console/sign-in", { token: sent }, { ...(from && { from }) });
  const read = (path: string, cookie = "") => request(`/console/api/${path}`, { headers: { cookie } });
  return { store, state, request, post, signIn, read, makeLink };
}

export const cookieOf = (response: Response) =>
  (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
