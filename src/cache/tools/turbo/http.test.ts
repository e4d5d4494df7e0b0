/**
 * The team names the organization; signatures and durations come back; several artifacts are queried in one request; a preflight
 * keeps the token; failures have Vercel's form; the linked user is shown.
 */
import { expect, onTestFinished, test } from "vitest";
import { openTestServer } from "../../testing/server.ts";

test("Turborepo", async () => {
  const server = await openTestServer();
  onTestFinished(server.close);
  const { ask, tokens, organizationId, owner } = server;
  const artifact = "/cache/turbo/v8/artifacts/969d4d0a3862f092";
  const kept = {
    "x-artifact-duration": "629",
    "x-artifact-tag": "iGv11IutrmCtHm4gNn/YyvwvSWjx6qgsqtd9eaHoB2w=",
    "x-artifact-sha": "6572b0356f58c4a8be6522f3fe9fe97a63393c37",
    "x-artifact-dirty-hash": "025616779da452017b550cae58dd04d2",
  };
  const put = await ask("PUT", `${artifact}?slug=acme`, { body: "tasks", headers: kept });
  expect([put.status, JSON.parse(put.text)]).toEqual([202, { urls: ["/v8/artifacts/969d4d0a3862f092"] }]);
  const found = await ask("GET", `${artifact}?teamId=${organizationId}`, { token: tokens.user });
  expect([found.text, found.headers]).toEqual(["tasks", expect.objectContaining(kept)]);
  expect((await ask("HEAD", artifact)).headers).toMatchObject(kept);
  for (const team of ["slug=evil-corp", "teamId=team_1", `slug=evil-corp&teamId=${organizationId}`]) {
    const refused = await ask("GET", `${artifact}?${team}`, { token: tokens.user });
    expect(refused.status).toBe(403);
    expect(JSON.parse(refused.text)).toEqual({
      error: {
        code: "permission_denied",
        message: expect.stringMatching(/^organization .* was not found$/) as string,
      },
    });
  }
  for (const [name, value] of [
    ["x-artifact-duration", "soon"],
    ["x-artifact-tag", "a b"],
    ["x-artifact-tag", "a".repeat(601)],
    ["x-artifact-sha", "xyz"],
  ] as const)
    expect((await ask("PUT", artifact, { body: "x", headers: { [name]: value } })).status).toBe(400);

  expect(JSON.parse((await ask("GET", "/cache/turbo/v8/artifacts/status")).text)).toEqual({
    status: "enabled",
  });
  const events = JSON.stringify([{ sessionId: "x", source: "LOCAL", event: "HIT", hash: "9", duration: 1 }]);
  expect((await ask("POST", "/cache/turbo/v8/artifacts/events", { body: events })).text).toBe("{}");
  const many = await ask("POST", "/cache/turbo/v8/artifacts?slug=acme", {
    body: JSON.stringify({ hashes: ["969d4d0a3862f092", "0", "__proto__"] }),
  });
  expect(new Map(Object.entries(JSON.parse(many.text) as object))).toEqual(
    new Map<string, unknown>([
      ["969d4d0a3862f092", { size: 5, taskDurationMs: 0 }],
      ["0", null],
      ["__proto__", null],
    ]),
  );
  for (const body of [
    "",
    "[]",
    '{"hashes":"x"}',
    '{"hashes":["/"]}',
    JSON.stringify({ hashes: Array(1001).fill("a") }),
  ])
    expect((await ask("POST", "/cache/turbo/v8/artifacts", { body })).status).toBe(400);

  const preflight = await ask("OPTIONS", artifact);
  expect(preflight.headers["access-control-allow-headers"]).toMatch(/^Authorization, /);
  // A page of another site cannot read it.
  expect(preflight.headers["access-control-allow-origin"]).toBeUndefined();
  const user = await ask("GET", "/cache/turbo/v2/user", { token: tokens.user });
  expect(JSON.parse(user.text)).toMatchObject({ user: { id: owner.userId, username: "ada" } });
  for (const token of [tokens.user, tokens.organization])
    expect(JSON.parse((await ask("GET", "/cache/turbo/v2/teams", { token })).text)).toMatchObject({
      teams: [{ id: organizationId, slug: "acme" }],
    });
});
