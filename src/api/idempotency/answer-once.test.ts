/**
 * On both kinds of database:
 *
 * 1. The same key and request get the same answer, secret included, and one object exists, whichever protocol or replica is
 *    asked, even when many ask at the same time.
 * 2. The same key with another request, or in another organization, is aborted; another caller's or method's key is
 *    another key.
 * 3. A refused create keeps nothing, so the same key may succeed later.
 * 4. Object and answer exist together or not at all.
 * 5. After 24 hours the key is new, whether or not the answer was deleted.
 * 6. Without the caller's token nothing of an answer can be read: neither secret, key nor request is in the table.
 * 7. Keys are 1 to 255 printable characters.
 * 8. A caller who may no longer create the object does not get its answer.
 */
import { fromBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { makePerson } from "#accounts/testing/accounts.ts";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { TokenServiceCreateResponseSchema } from "../gen/millrace/v1/token_service_pb.ts";
import { ANSWER_KEPT_MS } from "../calls/limits.ts";
import { openTestApi } from "../testing/api.ts";
import { deleteOldAnswers } from "./answer-once.ts";
import type { AnswerTables } from "./schema.ts";
import { seal, unseal } from "./seal.ts";

type TestApi = Awaited<ReturnType<typeof openTestApi>>;

const key = (idempotencyKey: string) => ({ "idempotency-key": idempotencyKey });
const token = { name: "ci", type: "org" };
const rowsOf = ({ accounts }: TestApi) =>
  accounts.db.withTables<AnswerTables>().selectFrom("api_answers").selectAll().execute();
const tokenCount = async ({ call }: TestApi) => (await call("TokenService/List")).body.tokens.length;

describe.each(testDatabaseKinds)("%s", (kind) => {
  test("1. once", async () => {
    await using server = await openTestApi(kind);
    const { call } = server;
    const before = await tokenCount(server);
    const first = await call("TokenService/Create", token, key("pipeline-1"));
    expect(first).toMatchObject({ status: 200, body: { secret: expect.stringMatching(/^mr_org_/) } });
    expect(await call("TokenService/Create", token, key("pipeline-1"))).toMatchObject({ body: first.body });
    // The same request in the binary format: `name` and `type`.
    const binary = await server.api.app.request("/api/millrace.v1.TokenService/Create", {
      method: "POST",
      headers: {
        ...key("pipeline-1"),
        "content-type": "application/proto",
        authorization: "Bearer mr_user_for-tests-only-0123456789-abcdef",
      },
      body: "\n\u0002ci\u0012\u0003org",
    });
    const { secret } = fromBinary(
      TokenServiceCreateResponseSchema,
      new Uint8Array(await binary.arrayBuffer()),
    );
    expect(secret).toBe(first.body.secret);
    expect(await tokenCount(server)).toBe(before + 1);

    // In one process, SQLite would wait for itself.
    const other = kind === "postgres" ? await server.openReplica() : server;
    const create = (index: number) =>
      (index % 2 === 0 ? server : other).call("ProjectService/Create", { name: "web" }, key("pipeline-2"));
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => create(index)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, body: { project: { name: "web" } } });
    const tokens = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        (index % 2 === 0 ? server : other).call("TokenService/Create", token, key("pipeline-3")),
      ),
    );
    expect(new Set(tokens.map(({ body }) => body.secret)).size).toBe(1);
    expect(await tokenCount(server)).toBe(before + 2);
    if (other !== server) await other.close();
  });

  test("2. another request, caller, method", async () => {
    await using server = await openTestApi(kind);
    const { call } = server;
    const made = await call("TokenService/Create", token, key("k"));
    const another = await call("TokenService/Create", { ...token, name: "other" }, key("k"));
    expect(another).toMatchObject({ status: 409, body: { code: "aborted" } });
    expect(await call("ProjectService/Create", { name: "web" }, key("k"))).toMatchObject({ status: 200 });
    const authorization = `Bearer ${made.body.secret}`;
    const as = { authorization, ...key("k") };
    expect(await call("ProjectService/Create", { name: "api" }, as)).toMatchObject({
      body: { project: { name: "api" } },
    });
  });

  test("3. refusals", async () => {
    await using server = await openTestApi(kind);
    const { call } = server;
    const { body } = await call("ProjectService/Create", { name: "web" });
    const again = () => call("ProjectService/Create", { name: "web" }, key("k"));
    expect(await again()).toMatchObject({ status: 409, body: { code: "already_exists" } });
    expect(await rowsOf(server)).toEqual([]);
    await call("ProjectService/Delete", { project_id: body.project.id });
    expect(await again()).toMatchObject({ status: 200 });
  });

  test("4. together", async () => {
    await using server = await openTestApi(kind);
    const { call, accounts } = server;
    await accounts.db.schema.alterTable("api_answers").renameTo("away").execute();
    vi.spyOn(accounts.db, "withTables").mockImplementationOnce(
      // The first look-up finds nothing; the answer cannot be stored.
      () => accounts.db.withSchema("none") as never,
    );
    expect(await call("ProjectService/Create", { name: "web" }, key("k"))).toMatchObject({ status: 500 });
    vi.restoreAllMocks();
    await accounts.db.schema.alterTable("away").renameTo("api_answers").execute();
    expect((await call("ProjectService/List")).body.projects).toEqual([]);
    expect(await rowsOf(server)).toEqual([]);
  });

  test("5. for 24 hours", async () => {
    await using server = await openTestApi(kind);
    const { call, time, accounts } = server;
    const create = async () => (await call("TokenService/Create", token, key("k"))).body.secret;
    const first = await create();
    time.now += ANSWER_KEPT_MS - 1;
    await deleteOldAnswers(accounts);
    expect(await create()).toBe(first);
    time.now += 1;
    const second = await create();
    expect(second).not.toBe(first);
    expect(await create()).toBe(second);
    time.now += ANSWER_KEPT_MS;
    await deleteOldAnswers(accounts);
    expect(await rowsOf(server)).toEqual([]);
  });

  test("8. a right that ended", async () => {
    await using server = await openTestApi(kind);
    const { call } = server;
    const { body: me } = await call("AccountService/WhoAmI");
    const { cookie, userId } = await makePerson(server, "grace", { organizationId: me.organization_id });
    const as = async (method: string, body: object, idempotencyKey: string) => {
      const answer = await server.api.app.request(`/api/millrace.v1.${method}`, {
        method: "POST",
        headers: {
          ...key(idempotencyKey),
          cookie: `millrace-session=${cookie}`,
          "content-type": "application/json",
        },
        body: JSON.stringify(body),
      });
      // The body of an error or of the answer.
      return (await answer.json()) as { code?: string; secret?: string; url?: string };
    };
    const createToken = () => as("TokenService/Create", token, "t");
    const invite = () =>
      as("OrganizationService/CreateInvitation", { organization: me.organization_id }, "i");
    const [made, invited] = [await createToken(), await invite()];
    expect([await createToken(), await invite()]).toEqual([made, invited]);
    await call("OrganizationService/UpdateMember", { user_id: userId, role: "member" });
    expect([(await createToken()).code, (await invite()).code]).toEqual([
      "permission_denied",
      "permission_denied",
    ]);
    await call("OrganizationService/RemoveMember", { user_id: userId });
    expect([(await createToken()).code, (await invite()).code]).toEqual(["not_found", "not_found"]);
  });

  test("6. what is stored", async () => {
    await using server = await openTestApi(kind);
    const { body } = await server.call("TokenService/Create", token, key("pipeline-4821"));
    const [row] = await rowsOf(server);
    const stored = [
      row?.key_hash,
      row?.sealed,
      Buffer.from(row?.sealed ?? "", "base64url").toString("latin1"),
    ];
    for (const part of [body.secret, "pipeline-4821", "mr_", "ci"])
      expect(stored.some((text) => text?.includes(part) && part.length > 2)).toBe(false);
  });
});

test("6. sealing", () => {
  const words = fc.string({ minLength: 1 });
  const bytes = fc.uint8Array();
  const keys = fc.record({ credential: words, method: words, idempotencyKey: words });
  fc.assert(
    fc.property(keys, keys, bytes, (own, other, answer) => {
      const requestHash = new Uint8Array(32).fill(7);
      const sealed = seal(own, { requestHash, answer });
      const opened = unseal(own, sealed);
      expect([...opened.answer]).toEqual([...answer]);
      expect([...opened.requestHash]).toEqual([...requestHash]);
      if (JSON.stringify(own) !== JSON.stringify(other)) expect(() => unseal(other, sealed)).toThrow();
      const damaged = Buffer.from(sealed, "base64url");
      damaged[damaged.length - 1]! ^= 1;
      expect(() => unseal(own, damaged.toString("base64url"))).toThrow();
    }),
  );
});

test("7. keys", async () => {
  await using server = await openTestApi("sqlite");
  const create = (value: string) => server.call("ProjectService/Create", { name: "web" }, key(value));
  for (const value of ["k".repeat(256), "a\u00e9", ""])
    expect(await create(value)).toMatchObject({
      status: 400,
      body: { details: [{ debug: { field_violations: [{ field: "Idempotency-Key" }] } }] },
    });
  expect(await create("k".repeat(255))).toMatchObject({ status: 200 });
});
