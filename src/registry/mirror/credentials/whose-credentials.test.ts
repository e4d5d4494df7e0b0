/**
 * Whose credentials open an image of another registry:
 * 1. A token of an organization, of a project or of a job uses its organization's credentials, whatever its creator belongs to.
 * 2. A person uses the credentials of the one organization that has some for the host, whichever they joined first; without
 *    any, none.
 * 3. A person of several that have some is refused with the names to choose from, and the organization in the address is used.
 * 4. The address cannot name an organization of others, and an organization's name is not a host.
 * 5. Content that is pulled with an organization's credentials is in the mirror's quota and not in the organization's, which
 *    may be full.
 */
import { afterEach, describe, expect, test } from "vitest";
import { type Caller, createToken } from "#accounts/index.ts";
import { joinOrganization, makePerson } from "#accounts/testing/accounts.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { parseRepositoryName } from "../../contract/names.ts";
import { digestOf, openTestClient } from "../../testing/client.ts";
import { parseMirrorHosts } from "../names/hosts.ts";
import { listUpstream, openTestUpstream } from "../../testing/upstream.ts";

const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

const LOGINS = { acme: "of-acme:secret-a", labs: "of-labs:secret-b" } as const;
type Organization = keyof typeof LOGINS;

/** An upstream with an image for each login, and `grace`, who is first a member of `labs`, then of `acme`. */
async function open(kind: (typeof testDatabaseKinds)[number], quotaBytes?: number) {
  const upstream = await openTestUpstream();
  opened.push(upstream);
  const hosts = parseMirrorHosts(listUpstream(upstream));
  const client = await openTestClient(kind, { mirror: { hosts }, ...(quotaBytes && { quotaBytes }) });
  opened.push(client);
  const { accounts, registry } = client.test;
  const image = await upstream.push("1");
  upstream.login = "nobody:knows";
  const labs = await makePerson({ accounts }, "lin", { organization: "labs" });
  const labsId = labs.caller.actor.organizationId ?? "";
  const person = await makePerson({ accounts }, "grace", { organizationId: labsId, role: "member" });
  const { userId } = person;
  await joinOrganization({ accounts }, { organizationId: client.organizationId, userId, role: "member" });
  const { secret: grace } = await createToken(accounts, person.caller, { name: "laptop", type: "user" });
  const owners: Record<Organization, Caller> = { acme: client.owner.caller, labs: labs.caller };
  return {
    client,
    upstream,
    image,
    grace,
    set: (organization: Organization) => {
      const [username = "", password = ""] = LOGINS[organization].split(":");
      return registry.mirrors!.set(owners[organization], { host: "up.test", username, password });
    },
    pull: (token: string, path = "up.test/acme/web") =>
      client.ask("GET", `/v2/mirror/${path}/manifests/1`, { token }),
  };
}

describe.each(testDatabaseKinds)("on %s", (kind) => {
  test("1. a token's organization, 2. and the only one of a person", async () => {
    const { set, pull, client, upstream, image, grace } = await open(kind);
    const { tokens } = client;
    expect((await pull(grace)).status).toBe(403);
    await set("acme");
    upstream.login = LOGINS.acme;
    // Labs is the older membership, and has none.
    for (const token of [tokens.organization, tokens.project, tokens.user, grace])
      expect((await pull(token)).body).toEqual(image.bytes);
    const kept = await client.test.database.db
      .selectFrom("registry_repositories")
      .select(["organization_id", "mirror"])
      .where("mirror", "!=", "")
      .execute();
    expect(kept).toEqual([{ organization_id: client.organizationId, mirror: "up.test/acme/web" }]);
    expect((await pull(tokens.stranger)).status).toBe(403);
  });

  test("3. several: the address says which", async () => {
    const { set, pull, client, upstream, image, grace } = await open(kind);
    await set("acme");
    await set("labs");
    upstream.login = LOGINS.acme;
    upstream.forget();
    const refused = await pull(grace);
    expect(refused).toMatchObject({ status: 403, code: "DENIED" });
    expect(refused.text).toContain("2 of your organizations have credentials for up.test: acme, labs");
    expect(refused.text).toContain("mirror/acme/up.test/acme/web");
    // Neither account was used.
    expect(upstream.asked).toEqual([]);
    expect((await pull(grace, "acme/up.test/acme/web")).body).toEqual(image.bytes);
    // Labs cannot open it, and what acme has opened is not served to labs.
    expect((await pull(grace, "labs/up.test/acme/web")).status).toBe(403);
    upstream.login = LOGINS.labs;
    expect((await pull(grace, "labs/up.test/acme/web")).body).toEqual(image.bytes);
    // A member of one of them need not name it.
    expect((await pull(client.tokens.organization)).body).toEqual(image.bytes);
  });

  test("3. as clients do, with a token of /v2/token", async () => {
    const { set, client, upstream, image, grace } = await open(kind);
    await set("acme");
    await set("labs");
    upstream.login = LOGINS.labs;
    const name = "mirror/labs/up.test/acme/web";
    const scope = `/v2/token?service=x&scope=repository:${name}:pull`;
    const basic = `Basic ${Buffer.from(`x-token:${grace}`).toString("base64")}`;
    const given = await client.ask("GET", scope, { token: null, headers: { authorization: basic } });
    const { token, scope: granted } = JSON.parse(given.text) as { token: string; scope: string };
    expect(granted).toBe(`repository:${name}:pull`);
    expect((await client.ask("GET", `/v2/${name}/manifests/1`, { token })).body).toEqual(image.bytes);
    for (const other of ["mirror/acme/up.test/acme/web", "mirror/up.test/acme/web"])
      expect((await client.ask("GET", `/v2/${other}/manifests/1`, { token })).status).not.toBe(200);
  });

  test("4. organizations of others", async () => {
    const { set, pull, client, grace } = await open(kind);
    await set("acme");
    const { tokens } = client;
    for (const [token, organization] of [
      [tokens.stranger, "acme"],
      [tokens.organization, "labs"],
      [tokens.organization, "none"],
      [grace, "evil"],
    ] as const) {
      const refused = await pull(token, `${organization}/up.test/acme/web`);
      expect([organization, refused.status]).toEqual([organization, 404]);
      expect(refused.text).toContain(`organization ${organization} was not found`);
    }
  });

  test("5. the mirror's quota", async () => {
    const { set, pull, client, upstream, image } = await open(kind, 20_000);
    await set("acme");
    upstream.login = LOGINS.acme;
    const body = Buffer.alloc(19_990, "x");
    const full = `/v2/acme/web/blobs/uploads/?digest=${digestOf(body)}`;
    expect((await client.ask("POST", full, { body })).status).toBe(201);
    expect((await pull(client.tokens.organization)).body).toEqual(image.bytes);
    const layer = image.layers[0]!.digest;
    expect((await client.ask("GET", `/v2/mirror/up.test/acme/web/blobs/${layer}`)).status).toBe(200);
    expect(await client.test.registry.images.countBytes(client)).toBe(19_990);
  });
});

test.each([
  ["mirror/docker.io/alpine", { host: "docker.io", path: "alpine" }],
  [
    "mirror/acme/docker.io/library/alpine",
    { organization: "acme", host: "docker.io", path: "library/alpine" },
  ],
  ["mirror/ghcr.io/acme/docker.io/x", { host: "ghcr.io", path: "acme/docker.io/x" }],
  ["mirror/up:5000/a", { host: "up:5000", path: "a" }],
  ["mirror/acme/up:5000/a/b", { organization: "acme", host: "up:5000", path: "a/b" }],
])("4. %s", (text, parts) => {
  expect(parseRepositoryName(text)).toEqual({ kind: "mirror", ...parts });
});

test.each([
  "mirror",
  "mirror/docker.io",
  "mirror/acme",
  "mirror/acme/docker.io",
  "mirror/acme/web/x",
  "mirror/Acme/docker.io/x",
  "mirror/acme/docker.io/X",
  "mirror//docker.io/x",
  "mirror/acme/../docker.io/x",
])("4. %s is not a name", (text) => {
  expect(parseRepositoryName(text)).toBeNull();
});
