/**
 * An owner with a second step, whose session is in someone else's hands: changes that would outlast the session, through
 * every method's own endpoint.
 * 1. It invites no one, in no role, lowers no limit and moves no tag; everything stays as it was.
 * 2. Once its person has confirmed, and with a token, the same requests are done. Other changes are never asked about.
 * 3. A person without a second step is not asked.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { addSignIn, openTestApi } from "./testing/api.ts";

const INDEX = "application/vnd.oci.image.index.v1+json";

describe.each(testDatabaseKinds)("%s", (kind) => {
  let server: Awaited<ReturnType<typeof openTestApi>>;
  let cookie = "";
  let projectId = "";
  let organizationId = "";

  beforeEach(async () => {
    server = await openTestApi(kind, { rateLimitFactor: 0 });
    cookie = await addSignIn(server);
    organizationId = (await server.call("AccountService/WhoAmI")).body.organization_id;
    projectId = (await server.call("ProjectService/Create", { name: "web" })).body.project.id;
    await push("latest", {});
    await push("old", { which: "old" });
  });
  afterEach(() => server[Symbol.asyncDispose]());

  async function push(reference: string, annotations: object) {
    const bytes = Buffer.from(
      JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests: [], annotations }),
    );
    const repository = { id: projectId, name: projectId, organizationId, projectId };
    const actor = { kind: "organization", tokenId: "tok_0123456789", name: "ci", organizationId } as const;
    const pusher = { ...actor, organization: "default", expiresAt: null, readOnly: false };
    const grant = { repository, right: "push", actor: pusher } as const;
    await server.registry.manifests.put(grant, { reference, mediaType: INDEX, bytes });
  }

  const addSecondStep = async () => {
    const { user_id } = (await server.call("AccountService/WhoAmI")).body;
    await server.accounts.db.insertInto("recovery_codes").values({ user_id, code_hash: "of-one" }).execute();
  };
  const confirm = (until: number) =>
    server.accounts.db.updateTable("sign_ins").set({ confirmed_until: until }).execute();

  const callInBrowser = async (method: string, body: object) => {
    const { status, headers } = await server.api.app.request(`/api/millrace.v1.${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "http://localhost:3000", cookie },
      body: JSON.stringify(body),
    });
    return { status, asks: headers.get("millrace-confirm") };
  };

  const acts = (): [method: string, body: object][] => [
    ["OrganizationService/CreateInvitation", { role: "member" }],
    ["OrganizationService/CreateInvitation", { mail: "eve@evil.example" }],
    ["OrganizationService/CreateInvitation", { role: "owner" }],
    ["ProjectService/Update", { project_id: projectId, retention_days: 1 }],
    ["ProjectService/Update", { project_id: projectId, cache_size_bytes: String(10 * 1024 ** 3) }],
    ["ImageService/Tag", { project_id: projectId, reference: "old", tag: "latest" }],
  ];
  const stateOf = async () => {
    const image = { project_id: projectId, reference: "latest" };
    return {
      invitations: (await server.call("OrganizationService/ListInvitations")).body.invitations,
      project: (await server.call("ProjectService/Get", { project_id: projectId })).body,
      latest: (await server.call("ImageService/Get", image)).body.image.digest,
    };
  };
  /** All of them, one after another. */
  const expectEach = async (
    answer: { status: number; asks?: string | null },
    call: (method: string, body: object) => Promise<{ status: number }>,
  ) => {
    for (const [method, body] of acts())
      expect(await call(method, body), `${method} ${JSON.stringify(body)}`).toMatchObject(answer);
  };

  test("1. and 2. a session of someone with a second step", async () => {
    await addSecondStep();
    const before = await stateOf();
    await expectEach({ status: 400, asks: "required" }, callInBrowser);
    expect(await stateOf()).toEqual(before);
    const harmless = { project_id: projectId, builder_size: 8, immutable_tags: ["v*"] };
    expect((await callInBrowser("ProjectService/Update", harmless)).status).toBe(200);
    await confirm(server.time.now + 60_000);
    await expectEach({ status: 200, asks: null }, callInBrowser);
    const after = await stateOf();
    expect(after.invitations).toHaveLength(3);
    expect(after.project.project.retention_days).toBe(1);
    expect(after.latest).not.toBe(before.latest);
  });

  test("2. a token of the same person", async () => {
    await addSecondStep();
    await expectEach({ status: 200 }, server.call);
  });

  test("3. a session of someone without a second step", async () => {
    await expectEach({ status: 200, asks: null }, callInBrowser);
  });
});
