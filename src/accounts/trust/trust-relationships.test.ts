/**
 * 1. The form of a trust relationship calls open to everyone exactly what the server refuses, for each claim that the form offers.
 * 2. At an issuer that anyone may use, a relationship must name its owner; Google's mail addresses do not count.
 */
import { expect, test } from "vitest";
import { PROVIDERS } from "#app/screens/settings/trust/providers.ts";
import { findWidth } from "#app/screens/settings/trust/too-wide.ts";
import { SHARED_ISSUERS } from "#platform/text/shared-issuers.ts";
import { checkTrustRelationships } from "./trust-relationships.ts";

test("1. form and server agree on what is too wide", () => {
  for (const provider of PROVIDERS) {
    const issuer = provider.id === "circleci" ? `${provider.issuer}5d1c` : provider.issuer;
    for (const name of [...provider.claims, ...provider.narrower]) {
      const relationship = { issuer, claims: { [name]: "x" }, cache: "read" };
      expect(findWidth(relationship)?.isOpen ?? false, `${provider.id} ${name}`).toBe(
        isRefused(relationship),
      );
    }
  }
});

test("2. shared issuers", () => {
  for (const [issuer, owners] of SHARED_ISSUERS)
    for (const written of [issuer, `${issuer}/`]) {
      const wide = { issuer: written, claims: { aud: "x", ref: "refs/heads/main" }, cache: "read" };
      expect(isRefused(wide), written).toBe(true);
      expect(findWidth(wide)?.isOpen, written).toBe(true);
      for (const name of owners)
        expect(isRefused({ ...wide, claims: { [name]: "x" } }), `${written} ${name}`).toBe(false);
    }
  const google = (claims: Record<string, string>) => ({ issuer: "https://accounts.google.com", claims });
  expect(isRefused(google({ email: "builder@acme.example", email_verified: "true" }))).toBe(true);
  expect(isRefused(google({ sub: "112233445566778899001" }))).toBe(false);
  // These have an issuer for each customer.
  for (const issuer of [
    "https://oidc.circleci.com/org/5d1c",
    "https://api.bitbucket.org/2.0/workspaces/acme/pipelines-config/identity/oidc",
    "https://vstoken.dev.azure.com/0f1e",
    "https://login.microsoftonline.com/0f1e/v2.0",
  ])
    expect(isRefused({ issuer, claims: { ref: "x" } }), issuer).toBe(false);
});

function isRefused(relationship: Parameters<typeof checkTrustRelationships>[1][number]): boolean {
  try {
    checkTrustRelationships({ privateIssuers: new Set() }, [relationship]);
    return false;
  } catch {
    return true;
  }
}
