/** Every address that asks clients who they are, with any credential and from any network. */
import type { Agent } from "node:http";
import { completeToken } from "#accounts/index.ts";
import { callGrpc } from "./grpc-client.ts";
import { json, send, type Sent } from "./requests.ts";
import type { RunningServer } from "./server-process.ts";
import { asOwner } from "./sign-in.ts";

/** gRPC's codes as HTTP has them. */
const STATUSES: Record<number, number> = { 0: 200, 8: 429, 16: 401 };

export interface Attempt {
  /** `Bearer mr_…`, or a session's cookie. */
  headers: { [name: string]: string };
  /** The client's address, as the server's trusted proxy names it. */
  as: string;
}

export interface Endpoint {
  name: string;
  /** @returns the status; -1 when there was no answer */
  attempt: (server: RunningServer, attempt: Attempt) => Promise<number>;
}

/** Settings with which a server believes `Attempt.as`. */
export const BEHIND_PROXY = { TRUSTED_PROXIES: "127.0.0.1" };

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Well formed, so that the server must look it up. */
export const wrongToken = (at: number): string => completeToken("user", String(at).padStart(32, "0"));

/** @param organization that the good tokens belong to */
export function endpointsFor(organization: string, agent: Agent): Endpoint[] {
  const http = (name: string, sent: Sent): Endpoint => ({
    name,
    async attempt({ port }, { headers, as }) {
      const all = { ...sent.headers, ...headers, "x-forwarded-for": as };
      return (await send(port, { ...sent, agent, headers: all })).status || -1;
    },
  });
  const grpc = (name: string, path: string): Endpoint => ({
    name,
    async attempt({ port }, { headers: { authorization = "" }, as }) {
      const call = { path, message: Buffer.alloc(0), authorization, forwardedFor: as };
      const code = await callGrpc(port, call);
      return STATUSES[code ?? -1] ?? -1;
    },
  });
  const whoAmI = "/api/millrace.v1.AccountService/WhoAmI";
  const proto = { method: "POST", headers: { "content-type": "application/proto" }, body: "" };
  return [
    http("API, JSON", json(whoAmI, {})),
    http("API, protobuf", { ...proto, path: whoAmI }),
    grpc("API, gRPC", "/millrace.v1.AccountService/WhoAmI"),
    http("cache", { path: "/cache/turbo/v8/artifacts/status" }),
    grpc("cache, gRPC", "/build.bazel.remote.execution.v2.Capabilities/GetCapabilities"),
    http("registry", { path: "/v2/" }),
    http("registry's tokens", { path: "/v2/token" }),
    http("events", { path: `/app/${organization}/events`, method: "HEAD" }),
    http("first run", { path: `/app/${organization}/first-run` }),
    http("console", { path: "/console/api/health" }),
  ];
}

/** A token that this server has not seen yet. */
export async function makeToken({ port }: RunningServer): Promise<string> {
  const sent = json(
    "/api/millrace.v1.TokenService/Create",
    { name: "new", type: "user" },
    { headers: asOwner },
  );
  const { status, body } = await send(port, sent);
  if (status !== 200) throw new Error(`No token was made: ${status} ${body.toString()}`);
  return (JSON.parse(body.toString()) as { secret: string }).secret;
}
