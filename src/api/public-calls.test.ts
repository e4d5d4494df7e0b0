/**
 * 1. A CI job whose OIDC token is right is answered, however many calls and wrong tokens came from its address. A caller
 *    without a valid token has to wait.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCallers } from "#accounts/index.ts";
import { startTestIssuer, type TestIssuer } from "#accounts/testing/issuer.ts";
import { openTrustingProject } from "#accounts/testing/trusting-project.ts";
import { createApi } from "./index.ts";

let issuer: TestIssuer;
beforeAll(async () => void (issuer = await startTestIssuer()));
afterAll(() => issuer.close());

test("1. a right token among wrong ones", async () => {
  await using place = await openTrustingProject("sqlite", issuer);
  const { accounts, projectId, sign } = place;
  let wait = 0;
  const callers = createCallers(accounts, { rateLimitFactor: 0.01, takeCall: () => wait });
  const api = createApi(accounts, { callers });
  const exchange = async (token: string) => {
    const answer = await api.app.request("/api/millrace.v1.TokenService/ExchangeOidcToken", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ project_id: projectId, oidc_token: token }),
    });
    return [answer.status, answer.headers.get("retry-after") !== null];
  };
  const right = await sign();
  const damaged = `${right.slice(0, -8)}AAAAAAAA`;
  for (let at = 0; at < 3; at += 1) expect(await exchange(damaged)).toEqual([401, false]);
  expect([await exchange(damaged), await exchange(right)]).toEqual([
    [429, true],
    [200, false],
  ]);
  wait = 7;
  expect([await exchange("a.b.c"), await exchange(damaged), await exchange(right)]).toEqual([
    [429, true],
    [429, true],
    [200, false],
  ]);
  await api.close();
});
