/**
 * 1. An owner sets credentials for a host, sees them without the password, and deletes them; each change is in the audit log.
 * 2. Invalid values are refused with the name of the field; so is a host that the server does not pull from.
 * 3. Other organizations see nothing of it; a server that pulls nothing through says so.
 */
import { expect, test } from "vitest";
import { openTestApi } from "./testing/api.ts";

const LOGIN = { host: "ghcr.io", username: "acme-robot", password: "ghp_of_the_robot" };

test("1. set, list, delete", async () => {
  await using api = await openTestApi("sqlite");
  const answers = [
    await api.call("MirrorService/Set", LOGIN),
    await api.call("MirrorService/Set", { ...LOGIN, host: "docker.io", username: "acme" }),
    await api.call("MirrorService/Set", { ...LOGIN, password: "another" }),
    await api.call("MirrorService/List"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(JSON.stringify(answers)).not.toMatch(/ghp_of_the_robot|another/);
  const set = { set_by: expect.any(String), set_at: "2026-11-22T00:00:00Z" };
  expect(answers[0]?.body).toEqual({ credentials: { host: "ghcr.io", username: "acme-robot", ...set } });
  expect(answers[3]?.body).toEqual({
    credentials: [
      { host: "docker.io", username: "acme", ...set },
      { host: "ghcr.io", username: "acme-robot", ...set },
    ],
  });
  expect(await api.call("MirrorService/Delete", { host: "ghcr.io" })).toMatchObject({
    status: 200,
    body: {},
  });
  const { body } = await api.call("MirrorService/List");
  expect(body.credentials.map(({ host }: { host: string }) => host)).toEqual(["docker.io"]);
  expect(await api.call("MirrorService/Delete", { host: "ghcr.io" })).toMatchObject({
    status: 404,
    body: { message: "the organization has no credentials for ghcr.io" },
  });
  const { body: audit } = await api.call("OrganizationService/ListAuditEvents", { organization: "default" });
  const actions = audit.events.map(({ action, target }: { action: string; target: string }) => [
    action,
    target,
  ]);
  for (const change of [
    ["mirror.logout", "ghcr.io"],
    ["mirror.login", "docker.io"],
    ["mirror.login", "ghcr.io"],
  ])
    expect(actions).toContainEqual(change);
  expect(JSON.stringify(audit)).not.toMatch(/ghp_of_the_robot|another/);
});

test.each([
  [{ host: "" }, "host", /does not pull images from ""/],
  [{ host: "elsewhere.example" }, "host", /only from docker\.io, .*MILLRACE_MIRROR_HOSTS/],
  [{ username: "" }, "username", /1 to 8192 characters/],
  [{ username: "a:b" }, "username", /cannot have a colon/],
  [{ password: "a\nb" }, "password", /without line breaks/],
])("2. %j is refused", async (wrong, field, message) => {
  await using api = await openTestApi("sqlite");
  const { status, body } = await api.call("MirrorService/Set", { ...LOGIN, ...wrong });
  expect([status, body.code]).toEqual([400, "invalid_argument"]);
  expect(body.message).toMatch(message);
  expect(JSON.stringify(body)).toContain(field);
  expect((await api.call("MirrorService/List")).body).toEqual({ credentials: [] });
});

test("3. others", async () => {
  await using api = await openTestApi("sqlite");
  await api.call("MirrorService/Set", LOGIN);
  // The oldest membership is the one that calls act in.
  api.time.now += 1000;
  await api.call("OrganizationService/Create", { name: "labs" });
  const there = { "millrace-org": "labs" };
  expect((await api.call("MirrorService/List", {}, there)).body).toEqual({ credentials: [] });
  expect((await api.call("MirrorService/Delete", { host: "ghcr.io" }, there)).status).toBe(404);
  expect((await api.call("MirrorService/List")).body.credentials).toHaveLength(1);

  await using without = await openTestApi("sqlite", { mirrors: undefined });
  const { status, body } = await without.call("MirrorService/List");
  expect([status, body.message]).toEqual([501, "This server does not pull images from other registries."]);
});
