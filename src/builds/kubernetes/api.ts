/** Requests to Kubernetes' API: JSON over HTTPS with the server's service account. Its refusals become messages for operators. */
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";
import { z } from "zod";
import { takeAtMost } from "../machine/download-buildkitd.ts";
import type { ClusterAccess } from "./cluster-access.ts";
import { ASK_MS, MAX_ANSWER_BYTES } from "./limits.ts";

export type Kind = "pods" | "secrets" | "persistentvolumeclaims";

export interface KubernetesApi {
  /** Null: not found. All methods throw ClusterError. */
  get: (kind: Kind, name: string) => Promise<unknown>;
  /** @param labels `a=1,b=2` */
  list: (kind: Kind, labels: string) => Promise<unknown>;
  /** @returns null if the name is already taken */
  create: (kind: Kind, object: object) => Promise<unknown>;
  /** A merge patch. @returns null if the object does not exist any more */
  patch: (kind: Kind, name: string, changes: object) => Promise<unknown>;
  /** @param version remove only this version; absent: any. @returns whether it was removed */
  remove: (kind: Kind, name: string, version?: string) => Promise<boolean>;
}

/** Messages are for people. */
export class ClusterError extends Error {}

const status = z.object({ message: z.string().optional() });

interface Asked {
  method: string;
  path: string;
  body?: object;
  type?: string;
}

export function openApi(access: ClusterAccess, namespace: string): KubernetesApi {
  const agent = new Agent({ ca: access.ca, keepAlive: true, maxSockets: 16 });
  const pathOf = (kind: Kind, name = "") =>
    `/api/v1/namespaces/${encodeURIComponent(namespace)}/${kind}${name === "" ? "" : `/${encodeURIComponent(name)}`}`;
  const ask = (asked: Asked, accepted: readonly number[] = []) =>
    askApi({ access, agent, namespace }, asked, accepted);
  return {
    get: (kind, name) => ask({ method: "GET", path: pathOf(kind, name) }, [NOT_FOUND]),
    list: (kind, labels) =>
      ask({ method: "GET", path: `${pathOf(kind)}?labelSelector=${encodeURIComponent(labels)}` }),
    create: (kind, body) => ask({ method: "POST", path: pathOf(kind), body }, [CONFLICT]),
    patch: (kind, name, body) =>
      ask({ method: "PATCH", path: pathOf(kind, name), body, type: MERGE_PATCH }, [NOT_FOUND]),
    async remove(kind, name, version) {
      const body = version === undefined ? {} : { preconditions: { resourceVersion: version } };
      const removed = await ask({ method: "DELETE", path: pathOf(kind, name), body }, [NOT_FOUND, CONFLICT]);
      return removed !== null;
    },
  };
}

const NOT_FOUND = 404;
const CONFLICT = 409;
const MERGE_PATCH = "application/merge-patch+json";

interface Way {
  access: ClusterAccess;
  agent: Agent;
  namespace: string;
}

/** @param accepted status codes for which the answer is null */
async function askApi(way: Way, asked: Asked, accepted: readonly number[]): Promise<unknown> {
  const answer = await send(way, asked);
  // A creation in a missing namespace is answered with 404.
  if (accepted.includes(answer.status)) return null;
  if (answer.status >= 300) throw new ClusterError(explain(way, answer));
  return JSON.parse(answer.body);
}

interface Answer {
  status: number;
  body: string;
}

async function send({ access, agent }: Way, { method, path, body, type }: Asked): Promise<Answer> {
  const token = await access.readToken();
  const content = body && JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const away = (error: Error) =>
      reject(
        new ClusterError(
          `The Kubernetes API at ${access.url} does not respond: ${error.message}. Builds continue when it responds.`,
          { cause: error },
        ),
      );
    const asked = request(
      `${access.url}${path}`,
      {
        agent,
        method,
        signal: AbortSignal.timeout(ASK_MS),
        headers: {
          accept: "application/json",
          authorization: `Bearer ${token}`,
          // Node.js frames the body of a DELETE only when its length is set.
          ...(content !== undefined && {
            "content-type": type ?? "application/json",
            "content-length": Buffer.byteLength(content),
          }),
        },
      },
      (response) => {
        text(response.compose(takeAtMost(MAX_ANSWER_BYTES))).then(
          (read) => resolve({ status: response.statusCode ?? 0, body: read }),
          away,
        );
      },
    );
    asked.once("error", away);
    asked.end(content);
  });
}

function explain({ namespace }: Way, answer: Answer): string {
  const said = messageOf(answer.body);
  const apply = "Apply deploy/kubernetes-builders, or adapt it to your cluster";
  if (answer.status === 401)
    return `Kubernetes does not recognize this server's service account: ${said}. ${apply}.`;
  if (answer.status === 403 && said.includes("exceeded quota"))
    return `The namespace ${namespace} has no room for another builder: ${said}. Wait for builds to end, or raise its quota.`;
  if (answer.status === 403 && said.includes("PodSecurity"))
    return `The namespace ${namespace} does not admit builders: ${said}. ${apply}.`;
  if (answer.status === 422 && said.includes("disallowed by cluster policy"))
    return `This cluster does not allow privileged pods: ${said}. Set MILLRACE_BUILDER_ISOLATION=rootless.`;
  if (answer.status === 403) return `Kubernetes does not let this server create builders: ${said}. ${apply}.`;
  if (answer.status === NOT_FOUND)
    return `Kubernetes has no namespace ${namespace} for builders (MILLRACE_BUILDER_NAMESPACE): ${said}. ${apply}.`;
  return `Kubernetes responded with status ${answer.status}: ${said}`;
}

function messageOf(body: string): string {
  try {
    return status.parse(JSON.parse(body)).message ?? "no details";
  } catch {
    return body.slice(0, 200);
  }
}
