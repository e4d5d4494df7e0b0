/**
 * For tests: the part of Kubernetes' API that builders use, in memory, over HTTPS. The same tests run with a real API server, which
 * proves its answers (tests/clients/builds/kubernetes.test.ts).
 */
import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { makeAuthority, openAuthority } from "../certificates/certificates.ts";
import type { ClusterAccess } from "../kubernetes/cluster-access.ts";

const object = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    namespace: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
    resourceVersion: z.string().optional(),
    deletionTimestamp: z.string().optional(),
  }),
  spec: z.looseObject({ nodeName: z.string().optional() }).optional(),
});
type Stored = z.infer<typeof object>;

export interface TestCluster {
  access: ClusterAccess;
  /** Access of the node, which may do everything. */
  admin: ClusterAccess;
  namespace: string;
  close: () => Promise<void>;
}

export interface StandIn extends TestCluster {
  /** From now on, each creation of this kind gets this answer. */
  refuse: (kind: string, status: number, message: string) => void;
  /** Removes a field from specifications, as a server does with unknown fields. */
  drop: (field: string) => void;
}

export async function openStandIn(): Promise<StandIn> {
  const authority = await openAuthority(await makeAuthority(new Date()));
  const { certificate, key } = await authority.signServer(["127.0.0.1"], new Date(Date.now() + 3_600_000));
  const store = new Store();
  const server = createServer({ cert: certificate, key }, async (request, response) => {
    const body = request.method === "GET" ? {} : await json(request).catch(() => ({}));
    const url = new URL(request.url ?? "", "https://cluster");
    const { status, answer } = store.answer(request.method ?? "", url, body);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const access = {
    url: `https://127.0.0.1:${portOf(server)}`,
    ca: authority.certificate,
    readToken: () => Promise.resolve("token"),
  };
  return {
    access,
    admin: access,
    namespace: "millrace-builders",
    refuse: (kind, status, message) => store.refused.set(kind, { status, message }),
    drop: (field) => void store.dropped.add(field),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

interface Answered {
  status: number;
  answer: object;
}

class Store {
  readonly refused = new Map<string, { status: number; message: string }>();
  readonly dropped = new Set<string>();
  readonly #objects = new Map<string, Stored>();
  #version = 1;

  answer(method: string, url: URL, body: unknown): Answered {
    const [kind = "", name = "", part = ""] = url.pathname.split("/").slice(5);
    const key = `${kind}/${name}`;
    if (method === "GET" && name === "") return this.#list(kind, url.searchParams.get("labelSelector") ?? "");
    if (method === "POST" && name === "") return this.#create(kind, body);
    const found = this.#objects.get(key);
    if (!found) return fail(404, `${kind} "${name}" not found`);
    if (method === "GET") return { status: 200, answer: found };
    if (method === "PATCH") return this.#patch(key, found, body);
    if (part === "binding") {
      found.spec = { ...found.spec, nodeName: "node-1" };
      return { status: 201, answer: {} };
    }
    return this.#remove(key, found, body);
  }

  #list(kind: string, selector: string): Answered {
    const wanted = selector === "" ? [] : selector.split(",").map((each) => each.split("="));
    const items = [...this.#objects]
      .filter(([key]) => key.startsWith(`${kind}/`))
      .map(([, each]) => each)
      .filter(({ metadata }) => wanted.every(([name = "", value]) => metadata.labels?.[name] === value));
    return { status: 200, answer: { kind: "List", items } };
  }

  #create(kind: string, body: unknown): Answered {
    const refused = this.refused.get(kind);
    if (refused) return fail(refused.status, refused.message);
    const created = object.parse(body);
    const key = `${kind}/${created.metadata.name}`;
    if (this.#objects.has(key)) return fail(409, `${key} already exists`);
    for (const field of this.dropped) if (created.spec) delete created.spec[field];
    created.metadata["uid"] = randomUUID();
    const { stringData } = created as { stringData?: Record<string, string> };
    if (stringData)
      created["data"] = Object.fromEntries(
        Object.entries(stringData).map(([name, text]) => [name, Buffer.from(text).toString("base64")]),
      );
    return { status: 201, answer: this.#write(key, created) };
  }

  #patch(key: string, found: Stored, body: unknown): Answered {
    return { status: 200, answer: this.#write(key, object.parse(merge(found, body))) };
  }

  #write(key: string, written: Stored): Stored {
    written.metadata.resourceVersion = String((this.#version += 1));
    this.#objects.set(key, written);
    return written;
  }

  /** A pod with a node is removed when its node says so. */
  #remove(key: string, found: Stored, body: unknown): Answered {
    const { preconditions, gracePeriodSeconds } = z
      .object({
        preconditions: z.object({ resourceVersion: z.string() }).optional(),
        gracePeriodSeconds: z.number().optional(),
      })
      .parse(body);
    const { resourceVersion } = found.metadata;
    if (preconditions && preconditions.resourceVersion !== resourceVersion)
      return fail(409, "the object has been modified");
    if (found.spec?.nodeName !== undefined && gracePeriodSeconds !== 0) {
      found.metadata.deletionTimestamp ??= new Date().toISOString();
      return { status: 200, answer: this.#write(key, found) };
    }
    this.#objects.delete(key);
    return { status: 200, answer: found };
  }
}

const fail = (status: number, message: string): Answered => ({
  status,
  answer: { kind: "Status", status: "Failure", message, code: status },
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** RFC 7396. */
function merge(target: unknown, changes: unknown): unknown {
  if (!isObject(changes)) return changes;
  const merged = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(changes))
    if (value === null) delete merged[name];
    else merged[name] = merge(merged[name], value);
  return merged;
}
