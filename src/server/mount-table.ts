/**
 * Assigns addresses to parts: each has exactly one part, found in one step, whatever the order of the table.
 */
import type { Context, Hono } from "hono";
import { answerAsJson } from "#platform/http/failure.ts";

export interface Mount {
  /** Used in the log and the metrics: one of few names. */
  part: string;
  /**
   * `/feedback` is one address, `/indexes/:uid/search` one for each name, `/ingest/*` is `/ingest` and all
   * below it. The most exact line wins: a name before `:uid`, both before `*`.
   */
  paths: readonly string[];
  app: Hono;
  /** Its requests take their turns once it knows who asks and has counted them for their limits, or never wait. */
  takesTurns?: true;
}

/** A folder of the table: the next names in an address. */
interface Branch {
  names: Map<string, Branch>;
  /** `:uid` */
  any?: Branch;
  /** The part that owns the address that ends here. */
  exact?: Mount;
  /** The part that owns everything below. */
  below?: Mount;
}

/** @throws Error when two parts have the same address, or no part has `/*` */
export function createMountFinder(mounts: readonly Mount[]): (path: string) => Mount {
  const root: Branch = { names: new Map() };
  for (const mount of mounts) for (const path of mount.paths) place(root, path, mount);
  const { below: rest } = root;
  if (!rest) throw new Error("No part of the server has the path /*.");
  return (path) => find(root, path.split("/").slice(1)) ?? rest;
}

function place(root: Branch, path: string, mount: Mount): void {
  let branch = root;
  const names = path.split("/").slice(1);
  const isTree = names.at(-1) === "*";
  if (isTree) names.pop();
  for (const name of names) {
    if (name.startsWith(":")) branch = branch.any ??= { names: new Map() };
    else {
      const next = branch.names.get(name) ?? { names: new Map() };
      branch.names.set(name, next);
      branch = next;
    }
  }
  const key = isTree ? "below" : "exact";
  const taken = branch[key];
  if (taken) throw new Error(`${path} is given to ${taken.part} and to ${mount.part}.`);
  branch[key] = mount;
}

/** Depth first: if a name leads nowhere, the address may still match `:uid`. */
function find(branch: Branch, [name, ...rest]: string[]): Mount | undefined {
  if (name === undefined) return branch.exact ?? branch.below;
  const named = branch.names.get(name);
  return (named && find(named, rest)) ?? (branch.any && find(branch.any, rest)) ?? branch.below;
}

/** For parts that speak JSON: answers other methods, and addresses that the part does not have. */
export function refuseAsJson(app: Hono, methods: readonly string[], message: string): void {
  app.notFound((context: Context) => {
    if (methods.includes(context.req.method)) return answerAsJson(context, { reason: "not found", message });
    const allow = methods.join(", ");
    return answerAsJson(context, {
      reason: "method not allowed",
      message: `This address does not accept ${context.req.method}: it accepts ${allow}.`,
      allow,
    });
  });
}
