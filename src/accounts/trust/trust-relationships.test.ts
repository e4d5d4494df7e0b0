/** The form of a trust relationship calls open to everyone exactly what the server refuses, for each claim that the form offers. */
import { expect, test } from "vitest";
import { PROVIDERS } from "#app/screens/settings/trust/providers.ts";
import { findWidth } from "#app/screens/settings/trust/too-wide.ts";
import { checkTrustRelationships } from "./trust-relationships.ts";

test("form and server agree on what is too wide", () => {
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

function isRefused(relationship: Parameters<typeof checkTrustRelationships>[1][number]): boolean {
  try {
    checkTrustRelationships({ privateIssuers: new Set() }, [relationship]);
    return false;
  } catch {
    return true;
  }
}
