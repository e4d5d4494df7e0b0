/**
 * Assigns addresses to parts: each has exactly one part, found in one step, whatever the order of the table.
 */
import type { Hono } from "hono";
import type { Mount } from "#platform/house/room.ts";

/** A part that answers requests. */
export interface Part extends Pick<Mount, "part" | "paths" | "takesTurns"> {
  app: Hono;
}

/** A node of the table: the next names in an address. */
interface Branch {
  names: Map<string, Branch>;
  /** `:uid` */
  any?: Branch;
  /** The part that owns the address that ends here. */
  exact?: Part;
  /** The part that owns everything below. */
  below?: Part;
}

/** @throws Error when two parts have the same address, or no part has `/*` */
export function createMountFinder(mounts: readonly Part[]): (path: string) => Part {
  const root: Branch = { names: new Map() };
  for (const mount of mounts) for (const path of mount.paths) place(root, path, mount);
  const { below: rest } = root;
  if (!rest) throw new Error("No part of the server has the path /*.");
  return (path) => find(root, path.split("/").slice(1)) ?? rest;
}

function place(root: Branch, path: string, mount: Part): void {
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

/** Depth first: if a name has no match, the address may still match `:uid`. */
function find(branch: Branch, [name, ...rest]: string[]): Part | undefined {
  if (name === undefined) return branch.exact ?? branch.below;
  const named = branch.names.get(name);
  return (named && find(named, rest)) ?? (branch.any && find(branch.any, rest)) ?? branch.below;
}
