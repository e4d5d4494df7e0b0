/** Maps an address to the answer of a tool. */
import { sendEmpty } from "#platform/http/node/answer.ts";
import type { Answer, ToolProtocol, ToolRoute, Verb } from "./call.ts";
import { badRequest, CacheFailure, nothingThere } from "./failures.ts";

/** The cache's prefix. */
const CACHE_PREFIX = "/cache/";

export interface CacheAddress {
  /** As in the address; it may not exist. */
  tool: string;
  /** The rest of the path, not decoded: `/ac/0123…`. */
  rest: string;
  query: URLSearchParams;
}

/** @param url begins with `/cache/` */
export function splitAddress(url: string): CacheAddress {
  const question = url.indexOf("?");
  const path = question < 0 ? url : url.slice(0, question);
  const slash = path.indexOf("/", CACHE_PREFIX.length);
  const end = slash < 0 ? path.length : slash;
  return {
    tool: path.slice(CACHE_PREFIX.length, end),
    rest: path.slice(end),
    query: new URLSearchParams(question < 0 ? "" : url.slice(question + 1)),
  };
}

/** Control characters, and separators of another system. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const FORBIDDEN = /[\u0000-\u001f\u007f\\]/;

/** @throws CacheFailure for a path that no tool sends */
export function decodePath(path: string): string {
  if (!path.includes("%") && !/\/\.{0,2}\/|\/\.{1,2}$/.test(path) && !FORBIDDEN.test(path)) return path;
  const names = path.split("/").map(decodeName);
  // The first is before the first slash, the last is empty in the address of a folder.
  if (names.slice(1, -1).includes("")) throw badRequest("an address cannot have empty parts");
  return names.join("/");
}

function decodeName(encoded: string): string {
  let name: string;
  try {
    name = decodeURIComponent(encoded);
  } catch {
    throw badRequest(`${encoded.slice(0, 100)} is not percent-encoded UTF-8`);
  }
  if (name === "." || name === ".." || name.includes("/") || FORBIDDEN.test(name))
    throw badRequest(`${encoded.slice(0, 100)} cannot be part of an address here`);
  return name;
}

/** @throws CacheFailure when the tool does not have the address, or the address does not accept the method */
export function findAnswer(
  { tool, routes }: ToolProtocol,
  path: string,
  method: string,
): { answer: Answer; parts: string[] } {
  for (const route of routes) {
    const found = route.path.exec(path);
    if (!found) continue;
    const parts = found.slice(1);
    const answer = answerOf(route, method);
    if (answer) return { answer, parts };
    throw new CacheFailure(
      [405, "unimplemented"],
      `this address accepts ${allowed(route)}, not ${method.slice(0, 20)}`,
      { allow: allowed(route) },
    );
  }
  throw nothingThere(`/cache/${tool}${path}`);
}

function answerOf(route: ToolRoute, method: string): Answer | undefined {
  const verb = method === "HEAD" ? "GET" : method;
  if (Object.hasOwn(route.methods, verb)) return route.methods[verb as Verb];
  if (verb !== "OPTIONS") return undefined;
  return (call) => Promise.resolve(sendEmpty(call, 204, { allow: allowed(route) }));
}

function allowed({ methods }: ToolRoute): string {
  const verbs = new Set(Object.keys(methods).flatMap((verb) => (verb === "GET" ? ["GET", "HEAD"] : [verb])));
  return [...verbs.add("OPTIONS")].join(", ");
}
