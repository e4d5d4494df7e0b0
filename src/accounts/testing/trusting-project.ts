/** For tests: a project that trusts an issuer, and exchanges of its tokens. */
import type { DatabaseKind } from "#platform/database/columns.ts";
import { createProject, identify, setOwnerToken, updateProject } from "../index.ts";
import { openTestAccounts, OWNER_TOKEN } from "./accounts.ts";
import { exchangeOidcToken } from "../trust/exchange.ts";
import type { TestIssuer } from "./issuer.ts";

export const ORIGIN = "https://build.acme.example";
export const SUBJECT = "repo:acme/web:ref:refs/heads/main";

export async function openTrustingProject(kind: DatabaseKind, issuer: TestIssuer) {
  const place = await openTestAccounts(kind, { privateIssuers: ["127.0.0.1"] });
  const { accounts, time } = place;
  await setOwnerToken(accounts, OWNER_TOKEN);
  const caller = { actor: await identify(accounts, { bearer: OWNER_TOKEN }), address: "192.0.2.1" };
  const { id: projectId } = await createProject(accounts, caller, { name: "web" });
  await updateProject(accounts, caller, {
    projectId,
    trustRelationships: [
      { issuer: issuer.origin, claims: { repository: "acme/web" } },
      { issuer: issuer.origin, claims: { repository: "acme/web", ref: "refs/heads/main" }, cache: "write" },
      { issuer: "https://issuer.example", claims: { repository: "secret/repository" }, cache: "write" },
    ],
  });
  const sign = (claims: object = {}) =>
    issuer.sign({
      sub: SUBJECT,
      aud: ORIGIN,
      exp: time.now / 1000 + 300,
      repository: "acme/web",
      ref: "refs/heads/main",
      ...claims,
    });
  const exchange = async (oidcToken: string, of = projectId) =>
    exchangeOidcToken(accounts, { projectId: of, oidcToken, address: "198.51.100.7" });
  return {
    ...place,
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
    projectId,
    caller,
    sign,
    exchange,
  };
}
