/** The text typed into a relationship's form; none of it is lost when the list below changes. */
import { useState } from "react";
import type { TrustRelationship } from "#api/gen/json-types.ts";
import type { ClaimRow } from "../../../ui/claims-form.tsx";
import { PROVIDERS, type Provider, providerOf } from "./providers.ts";
import type { TrustRow } from "./trust-rows.ts";

export interface TrustDraft {
  projectId: string;
  issuer: string;
  claims: ClaimRow[];
  cache: string;
}

const [FIRST] = PROVIDERS;

export function useTrustDraft(row: TrustRow | undefined, firstProjectId: string) {
  const [draft, setDraft] = useState<TrustDraft>(() => ({
    projectId: row?.project.id ?? "",
    issuer: row?.relationship.issuer ?? FIRST?.issuer ?? "",
    claims: row
      ? toRows(Object.entries(row.relationship.claims))
      : toRows((FIRST?.claims ?? []).map((name) => [name, ""])),
    cache: row?.relationship.cache || "read",
  }));
  const change = (parts: Partial<TrustDraft>) => setDraft((now) => ({ ...now, ...parts }));
  const choose = (provider: Provider) =>
    setDraft((now) => ({ ...now, issuer: provider.issuer, claims: claimsFor(provider, now.claims) }));
  const addClaim = (name: string) =>
    setDraft((now) => ({ ...now, claims: [...now.claims, { key: nextKey(now.claims), name, value: "" }] }));
  // Projects may arrive after the form.
  const projectId = draft.projectId || firstProjectId;
  return { draft: { ...draft, projectId }, change, choose, addClaim, provider: providerOf(draft.issuer) };
}

const toRows = (entries: readonly (readonly [string, string])[]): ClaimRow[] =>
  entries.map(([name, value], key) => ({ key, name, value }));

const nextKey = (claims: readonly ClaimRow[]) => Math.max(-1, ...claims.map(({ key }) => key)) + 1;

/** A provider's own claims; values typed under the same name stay. */
function claimsFor(provider: Provider, former: readonly ClaimRow[]): ClaimRow[] {
  const typed = new Map(former.filter(({ value }) => value !== "").map(({ name, value }) => [name, value]));
  const names = [...provider.claims, ...provider.narrower.filter((name) => typed.has(name))];
  return toRows([...new Set(names)].map((name) => [name, typed.get(name) ?? ""]));
}

/** The form's request: empty rows do not count. */
export function toRelationship({ issuer, claims, cache }: TrustDraft): TrustRelationship {
  const filled = claims.map(({ name, value }) => [name.trim(), value.trim()] as const);
  return {
    issuer: issuer.trim(),
    claims: Object.fromEntries(filled.filter(([name, value]) => name !== "" && value !== "")),
    cache,
  };
}

/** By the row's key. */
export function findClaimErrors(claims: readonly ClaimRow[]): Map<number, string> {
  const errors = new Map<number, string>();
  const seen = new Set<string>();
  for (const { key, name, value } of claims) {
    const trimmed = name.trim();
    if (trimmed === "" && value.trim() !== "") errors.set(key, "Name the claim.");
    else if (trimmed !== "" && value.trim() === "") errors.set(key, `Say which value ${trimmed} must have.`);
    else if (trimmed !== "" && seen.has(trimmed)) errors.set(key, `${trimmed} is already required above.`);
    seen.add(trimmed);
  }
  return errors;
}
