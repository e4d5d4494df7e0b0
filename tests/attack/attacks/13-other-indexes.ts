import { createHmac } from "node:crypto";
import type { Attack, Stage } from "../attack.ts";
import { addDocuments, admin, ask, finish, read, type Task } from "../documents.ts";
import { json, send, type Sent } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";

const uid = "private-plans";
const secret = "the-secret-plan";

interface Key {
  uid: string;
  key: string;
}

export const otherIndexes: Attack = {
  item: 13,
  name: "indexes of others",
  bound:
    "The documentation is everyone's; any other index, its name and its numbers need a key with the right.",
  async run(stage) {
    const server = await stage.server();
    const documents = [
      { id: 1, title: secret, tenant: "a" },
      { id: 2, title: `${secret} b`, tenant: "b" },
    ];
    await finish(server, read<Task>(await addDocuments(server, uid, documents)).taskUid);
    const settings = json(
      `/search/indexes/${uid}/settings`,
      { filterableAttributes: ["tenant"] },
      { method: "PATCH", headers: admin },
    );
    await finish(server, read<Task>(await send(server.port, settings)).taskUid);

    let refused = 0;
    const attempts = withoutRight();
    for (const [at, sent] of attempts.entries()) {
      // Each from a different client, so that none is refused for too many attempts.
      const answer = await send(server.port, { ...sent, from: stage.address(at) });
      const text = answer.body.toString();
      const isRefused = answer.status >= 400 && !text.includes(secret) && !text.includes(`"${uid}"`);
      const name = `${sent.method ?? "GET"} ${sent.path} with ${sent.headers?.["authorization"]?.slice(0, 20) ?? "no key"}`;
      if (stage.check(isRefused, `${name}: answered ${answer.status} ${text.slice(0, 120)}`)) refused++;
    }
    const open = await send(
      server.port,
      json("/multi-search", { queries: [{ indexUid: "docs", q: "cache" }] }),
    );
    stage.check(open.status === 200, `the documentation's search needs a key: ${open.status}`);
    stage.report("requests without the right", `${refused} of ${attempts.length} refused`);
    await keysAndTenants(stage, server);
  },
};

function withoutRight(): Sent[] {
  const body = { q: "plan" };
  const list: Sent[] = [];
  for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: "Bearer " }] as {
    [name: string]: string;
  }[])
    list.push(
      json(`/indexes/${uid}/search`, body, { headers }),
      json("/multi-search", { queries: [{ indexUid: uid, ...body }] }, { headers }),
      json(
        "/multi-search",
        { federation: {}, queries: [{ indexUid: uid }, { indexUid: "docs" }] },
        { headers },
      ),
      json(`/indexes/${uid}/facet-search`, { facetName: "tenant" }, { headers }),
      { path: `/indexes/${uid}/search?q=plan`, headers },
      { path: `/search/indexes/${uid}/documents`, headers },
      { path: "/search/stats", headers },
      { path: "/search/version", headers },
      { path: "/search/indexes", headers },
      { path: "/search/tasks", headers },
      { path: "/search/keys", headers },
    );
  return list;
}

async function keysAndTenants(stage: Stage, server: RunningServer): Promise<void> {
  const wanted = { actions: ["search"], indexes: [uid], expiresAt: null, name: "attack" };
  const key = read<Key>(await send(server.port, json("/search/keys", wanted, { headers: admin })));
  if (!stage.check(typeof key.key === "string", "no key could be made")) return;
  const search = async (token: string, filter?: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return send(
      server.port,
      json(`/indexes/${uid}/search`, { q: "", ...(filter && { filter }) }, { headers }),
    );
  };
  const own = await search(key.key!);
  stage.check(own.status === 200, `a key with the right was answered ${own.status}`);
  const payload = {
    apiKeyUid: key.uid,
    searchRules: { [uid]: { filter: "tenant = a" } },
    exp: 4_000_000_000,
  };
  const tenant = await search(token(payload, key.key!));
  stage.check(tenant.status === 200, `a tenant was answered ${tenant.status}`);
  for (const filter of [
    "tenant = b",
    "tenant = a OR tenant = b",
    'tenant = "a") OR (tenant = "b"',
    "NOT tenant = a",
  ]) {
    const { body } = await search(token(payload, key.key!), filter);
    stage.check(
      !body.includes(`${secret} b`),
      `a tenant sees another one's document with the filter ${filter}`,
    );
  }
  const forged = [
    token(payload, "another secret"),
    token({ ...payload, exp: 1 }, key.key!),
    token(payload, key.key!, { alg: "none" }),
    token(payload, key.key!).replace(/\.[^.]*$/, "."),
    token({ ...payload, searchRules: ["*"], apiKeyUid: "00000000-0000-4000-8000-000000000000" }, key.key!),
  ];
  for (const [at, one] of forged.entries()) {
    const { status } = await search(one);
    stage.check(status === 403 || status === 401, `forged token ${at} was answered ${status}`);
  }
  await ask(server, `/search/keys/${key.uid}`, { method: "DELETE" });
  for (const late of [key.key!, token(payload, key.key!)]) {
    const { status } = await search(late);
    stage.check(status === 403, `after its key was deleted a token was answered ${status}`);
  }
  stage.report("forged and late tokens", `${forged.length + 2} tried`);
}

/** A JSON Web Token, as Meilisearch's clients make it for a tenant. */
function token(payload: object, secret: string, header: object = { alg: "HS256", typ: "JWT" }): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part(header)}.${part(payload)}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}
