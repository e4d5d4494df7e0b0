/**
 * 1. Every address in README.md's tables exists, and no other.
 * 2. Any request to them, in address, headers and body, from strangers and from a signed-in person, gets an answer of a
 *    documented shape, never 500, that must not be cached, and signs no one in.
 * 3. A database that is unreachable is `unavailable`, for people and for programs; an internal error reveals nothing.
 */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Accounts } from "./contract/accounts.ts";
import { createEventRoutes } from "./stream/event-routes.ts";
import { createAccountRoutes } from "./routes.ts";
import { openTestPeople, TEST_ORIGIN } from "./testing/people.ts";

const ROUTES = {
  oidc: { issuer: "http://127.0.0.1:9", clientId: "a", clientSecret: "b", name: "Acme ID" },
  github: {
    clientId: "a",
    clientSecret: "b",
    addresses: { web: "http://127.0.0.1:9", api: "http://127.0.0.1:9" },
  },
  rateLimitFactor: 0,
};

test("1. the tables", async () => {
  await using people = await openTestPeople("sqlite", { routes: ROUTES });
  const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
  const rows = readme.split("\n").filter((line) => /^\| `(?:GET|POST) /.test(line));
  const documented = rows.flatMap((row) =>
    [...(row.split("|")[1] ?? "").matchAll(/(GET|POST) (\/[\w/:-]+)/g)].map(
      ([, method, path]) => `${method} ${path}`,
    ),
  );
  const events = createEventRoutes(people.accounts);
  await events.streams.stop();
  const mounted = [...people.app.routes, ...events.app.routes]
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(mounted)].sort()).toEqual(documented.sort());
});

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom(
    "__proto__",
    "\0",
    "😀".repeat(100),
    "x".repeat(3000),
    "a.b",
    "e30.e30",
    "4F7Q-2MXR-9KTD",
    "../..",
    "%",
  ),
);
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.double(),
    fc.constant(null),
    fc.boolean(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(text, tie("value"), { maxKeys: 3 }),
  ),
})).value;
/** Bodies that get past the schema. */
const likely = fc.record(
  {
    for: fc.constantFrom("sign-in", "add", "start", "join"),
    key: text,
    name: fc.oneof(text, fc.constant("ada")),
    mail: fc.oneof(text, fc.constant("ada@acme.example")),
    organization: fc.oneof(text, fc.constant("acme")),
    code: fc.oneof(text, fc.constant("WDJB-MJHT")),
    next: text,
    state: text,
    response: fc.record({
      id: text,
      rawId: text,
      type: fc.constant("public-key"),
      response: fc.record({
        clientDataJSON: text,
        attestationObject: text,
        authenticatorData: text,
        signature: text,
      }),
    }),
  },
  { requiredKeys: [] },
);

test("2. anything", async () => {
  await using people = await openTestPeople("sqlite", {
    routes: ROUTES,
    accounts: { sendMail: async () => {} },
  });
  const owner = await people.begin();
  const session = owner.cookies.get("millrace-session") ?? "";
  const paths = [
    ...new Set(people.app.routes.filter(({ method }) => method !== "ALL").map(({ path }) => path)),
  ];
  const request = fc.record({
    path: fc.constantFrom(...paths),
    method: fc.constantFrom("GET", "POST", "POST"),
    part: text,
    query: fc.dictionary(
      fc.constantFrom("next", "invitation", "link", "state", "code", "error", "iss"),
      text,
    ),
    body: fc.oneof(value, likely, likely),
    type: fc.constantFrom(
      "application/json",
      "application/json",
      "application/x-www-form-urlencoded",
      "text/plain",
    ),
    cookie: fc.option(
      fc.tuple(fc.constantFrom("millrace-session", "millrace-provider", "millrace-mail"), text),
    ),
    isSignedIn: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ path, method, part, query, body, type, cookie, isSignedIn }) => {
      // The requests that follow need the session.
      if (isSignedIn && path === "/auth/sign-out") return;
      const url = new URL(path.replace(/:\w+/, encodeURIComponent(part.toWellFormed())), TEST_ORIGIN);
      for (const [name, given] of Object.entries(query)) url.searchParams.set(name, given);
      const form = new URLSearchParams({ client_id: "millrace-cli", machine: part, device_code: part });
      const headers = new Headers({ "content-type": type });
      if (isSignedIn) headers.set("cookie", `millrace-session=${session}`);
      else if (cookie) headers.set("cookie", `${cookie[0]}=${encodeURIComponent(cookie[1].toWellFormed())}`);
      const sent = type.endsWith("urlencoded") ? form : (JSON.stringify(body) ?? "");
      const answer = await people.app.request(url.href, {
        method,
        headers,
        ...(method === "POST" && { body: sent }),
      });
      expect(answer.status).toBeLessThan(500);
      if (answer.status !== 404 || answer.headers.get("content-type")?.includes("json"))
        expect(answer.headers.get("cache-control")).toBe("no-store");
      const cookies = answer.headers.getSetCookie().join();
      if (!isSignedIn) expect(cookies).not.toMatch(/millrace-session=\w/);
      const said = await answer.text();
      expect(said).not.toMatch(/\bat .*\.ts:\d+|sqlite|select |undefined/i);
    }),
    { numRuns: 1500 },
  );
  expect(people.logged.filter((line) => line.startsWith("A request from a browser failed."))).toEqual([]);
}, 60_000);

test("3. a database that is unreachable, and a mistake", async () => {
  await using people = await openTestPeople("sqlite");
  const failing = (error: Error): Accounts => ({
    ...people.accounts,
    // Any use of the database fails.
    db: new Proxy(people.accounts.db, {
      get() {
        throw error;
      },
    }),
  });
  const away = createAccountRoutes(
    failing(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })),
    {
      addressOf: () => null,
    },
  );
  const form = { method: "POST", body: new URLSearchParams({ client_id: "millrace-cli" }) };
  expect((await away.request("/auth/start/4F7Q-2MXR-9KTD")).status).toBe(503);
  const program = await away.request("/oauth/device_authorization", form);
  expect([program.status, await program.json()]).toMatchObject([503, { error: "temporarily_unavailable" }]);
  const broken = createAccountRoutes(failing(new Error("no such column: secret")), { addressOf: () => null });
  const answer = await broken.request("/auth/start/4F7Q-2MXR-9KTD");
  expect([answer.status, await answer.json()]).toEqual([
    500,
    { code: "internal", message: "the server failed; its log says why" },
  ]);
  expect(people.logged.join()).toContain("/auth/start/:key");
});
