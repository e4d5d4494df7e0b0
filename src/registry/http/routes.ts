/** Maps an address to the route that answers it. */
import { RegistryError } from "../contract/registry-error.ts";
import type { RegistryRoute, Verb } from "./call.ts";
import { blobRoutes } from "./blob-routes.ts";
import { manifestRoutes } from "./manifest-routes.ts";
import { uploadRoutes } from "./upload-routes.ts";

/** The registry's prefix. */
export const REGISTRY_PREFIX = "/v2/";

/** The first match answers. */
export const ROUTES: readonly RegistryRoute[] = [...uploadRoutes, ...blobRoutes, ...manifestRoutes];

/** The parts after a repository's name. The last match in an address counts, so a name never contains one. */
const KINDS = ["/blobs/", "/manifests/", "/tags/", "/referrers/"];

export interface RegistryAddress {
  /** The repository's; "" where the address has none. */
  name: string;
  /** The rest of the path: `/manifests/latest`. */
  rest: string;
  query: URLSearchParams;
}

/** @param url begins with `/v2/` */
export function splitAddress(url: string): RegistryAddress {
  const question = url.indexOf("?");
  const path = question < 0 ? url : url.slice(0, question);
  const query = new URLSearchParams(question < 0 ? "" : url.slice(question + 1));
  const at = Math.max(...KINDS.map((kind) => path.lastIndexOf(kind)));
  if (at < REGISTRY_PREFIX.length) return { name: "", rest: path.slice(REGISTRY_PREFIX.length), query };
  return { name: path.slice(REGISTRY_PREFIX.length, at), rest: path.slice(at), query };
}

/** @throws RegistryError when the address does not exist, or does not accept the method */
export function findRoute(rest: string, method: string) {
  const verb = method === "HEAD" ? "GET" : method;
  for (const route of ROUTES) {
    const found = route.path.exec(rest);
    if (!found) continue;
    const answered = Object.hasOwn(route.methods, verb) ? route.methods[verb as Verb] : undefined;
    if (answered) return { ...answered, parts: found.slice(1) };
    const allow = allowed(route);
    throw new RegistryError("UNSUPPORTED", `this address accepts ${allow}, not ${method.slice(0, 20)}`, {
      headers: { allow },
    });
  }
  throw new RegistryError("UNSUPPORTED", `there is nothing at ${rest.slice(0, 200)}`, { status: 404 });
}

/** Whether the route needs the right to push; a request for an upload's progress also does. */
export function asksToPush(rest: string, method: string): boolean {
  try {
    return findRoute(rest, method).right !== "pull";
  } catch {
    return false;
  }
}

function allowed({ methods }: RegistryRoute): string {
  return Object.keys(methods)
    .flatMap((verb) => (verb === "GET" ? ["GET", "HEAD"] : [verb]))
    .join(", ");
}
