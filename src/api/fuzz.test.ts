/**
 * Whatever is sent, the answer is JSON in the documented shape, is not `internal`, arrives immediately and reveals nothing of
 * the code. `FUZZ_FACTOR` makes the search longer.
 */
import { type DescField, ScalarType } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabaseKinds } from "#platform/testing/database.ts";
import { longer } from "#platform/testing/longer.ts";
import { createMethodTable } from "./methods.ts";
import { openTestApi, OWNER_TOKEN } from "./testing/api.ts";

const numRuns = longer(300);
const methods = [...createMethodTable().values()].filter(({ desc }) => desc.methodKind === "unary");
const paths = methods.map(({ desc }) => `/api/${desc.parent.typeName}/${desc.name}`);
const words = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "prj_0000000000",
    "org_0000000000",
    "default",
    "user",
    "org",
    "project",
    "owner",
    "\0",
    "a\0b",
    "\ud800",
    "",
  ),
);
const whole = fc.oneof(fc.constantFrom(0, -1, 1, 4, 100, 101, 2 ** 31 - 1, -(2 ** 31)), fc.integer());
const long = fc.oneof(
  fc.constantFrom("0", "-1", "9223372036854775807", "-9223372036854775808", "53687091200"),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
);
const time = fc.oneof(
  fc.constantFrom("0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "2027-01-01T00:00:00+02:00"),
  fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString()),
);
const trust = fc.record({
  issuer: fc.oneof(fc.webUrl(), words),
  claims: fc.dictionary(words, words),
  cache: words,
});

/** Mostly valid values of the field. */
function valueOf(field: DescField): fc.Arbitrary<unknown> {
  const right =
    field.fieldKind === "scalar"
      ? {
          [ScalarType.STRING]: words,
          [ScalarType.BOOL]: fc.boolean(),
          [ScalarType.INT32]: whole,
          [ScalarType.INT64]: long,
        }[Number(field.scalar)]
      : field.fieldKind === "message"
        ? field.message.name === "TrustRelationship"
          ? trust
          : time
        : fc.array(trust, { maxLength: 3 });
  return fc.oneof({ weight: 20, arbitrary: right ?? words }, { weight: 1, arbitrary: fc.jsonValue() });
}

const messages = methods.map(({ desc }) =>
  fc.record(Object.fromEntries(desc.input.fields.map((field) => [field.name, valueOf(field)])), {
    requiredKeys: [],
  }),
);
const call = fc
  .nat(methods.length - 1)
  .chain((index) =>
    fc.tuple(
      fc.constant(paths[index]!),
      fc.oneof(
        { weight: 20, arbitrary: messages[index]!.map((message) => JSON.stringify(message)) },
        { weight: 1, arbitrary: fc.oneof(fc.json(), fc.string()) },
      ),
    ),
  );
const bytes = fc.uint8Array({ maxLength: 200 });
const header = fc
  .string({ unit: fc.constantFrom(...'azAZ09 -_=;,./%"\u00e9\t'), maxLength: 40 })
  .map((text) => text.trim());

describe.each(testDatabaseKinds)("%s", (kind) => {
  let server: Awaited<ReturnType<typeof openTestApi>>;
  beforeAll(async () => void (server = await openTestApi(kind, { rateLimitFactor: 0 })));
  afterAll(() => server[Symbol.asyncDispose]());

  async function send(path: string, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) {
    const response = await server.api.app.request(path, { method: "POST", headers, body });
    if (response.status === 200) return;
    const text = await response.text();
    expect(text).not.toMatch(/node_modules|\.ts:|\\n +at |sqlite|postgres|syntax error/i);
    expect(JSON.parse(text)).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
      details: expect.any(Array),
    });
    if (response.status >= 500 && ![501, 504].includes(response.status))
      expect.fail(`${text}\n${server.logged.at(-1)}`);
  }
  const authorization = `Bearer ${OWNER_TOKEN}`;

  test("JSON", () =>
    fc.assert(
      fc.asyncProperty(call, fc.boolean(), ([path, body], hasKey) =>
        send(
          path,
          { authorization, "content-type": "application/json", ...(hasKey && { "idempotency-key": "k" }) },
          body,
        ),
      ),
      { numRuns },
    ));

  test("bytes", () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), bytes, fc.boolean(), (path, body, isBinary) =>
        send(
          path,
          { authorization, "content-type": isBinary ? "application/proto" : "application/json" },
          new Uint8Array(body),
        ),
      ),
      { numRuns },
    ));

  test("headers", () =>
    fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.constantFrom(
            "authorization",
            "cookie",
            "millrace-org",
            "idempotency-key",
            "connect-timeout-ms",
            "content-type",
            "content-encoding",
            "origin",
            "sec-fetch-site",
          ),
          header,
        ),
        (headers) =>
          send(
            "/api/millrace.v1.ProjectService/List",
            { authorization, "content-type": "application/json", ...headers },
            "{}",
          ),
      ),
      { numRuns },
    ));
});
