import { origin, requestTo, startTelemetry } from "#telemetry/testing/telemetry.ts";
import { type ConsoleOptions, createConsoleRoutes } from "../.server/console-routes.ts";

export const json = { "content-type": "application/json" };
const OPERATOR = "an-operator";

/** The console with a clock that the test moves, and one operator, identified by a header. */
export function startConsole(options: Pick<ConsoleOptions, "search" | "tryChange" | "trials"> = {}) {
  const state = { now: Date.parse("2026-11-21T10:00:00Z") };
  const clock = () => state.now;
  const { store, ...telemetry } = startTelemetry({ clock });
  const app = createConsoleRoutes({
    telemetry: { ...telemetry, store },
    config: { flags: [], surveys: [] },
    checkOperator: (headers) =>
      Promise.resolve(
        headers.get("cookie") === OPERATOR
          ? { isAllowed: true }
          : { isAllowed: false, status: 401, code: "unauthenticated", message: "no token" },
      ),
    origin,
    root: process.cwd(),
    isWritable: false,
    clock,
    ...options,
  });
  const request = requestTo(app);
  const read = (path: string, cookie = OPERATOR) => request(`/console/api/${path}`, { headers: { cookie } });
  const change = (path: string, body: string, headers: Record<string, string>) =>
    request(`/console/api/${path}`, { method: "POST", body, headers: { cookie: OPERATOR, ...headers } });
  return { store, state, request, read, change };
}
