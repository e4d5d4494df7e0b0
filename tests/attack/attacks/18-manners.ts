import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "#server/pages/build-folders.ts";
import type { Attack, Stage } from "../attack.ts";
import { ask } from "../documents.ts";
import { inParallel, openSocket, send } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";

export const manners: Attack = {
  item: 18,
  name: "aborts, caches, prototypes, binaries",
  bound:
    "A client that goes away is not a failure of the server; what is negotiated says so; names of the language are not settings.",
  async run(stage) {
    const server = await stage.server();
    await aborts(stage, server, stage.isShort ? 150 : 900);
    await vary(stage, server);
    await prototypes(stage, server);
    packages(stage);
  },
};

async function aborts(stage: Stage, server: RunningServer, count: number): Promise<void> {
  const before = server.output().length;
  const body = JSON.stringify({ queries: [{ indexUid: "docs", q: "cache" }] });
  const head = (path: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const kinds = [
    head("/multi-search", body.length + 10) + body,
    head("/ingest/e/", 5000) + '{"event":',
    head("/feedback", 900) + "{",
    head("/multi-search", body.length) + body,
    "GET /docs?q=cache HTTP/1.1\r\nHost: x\r\n\r\n",
    'POST /indexes/docs/search HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"q":',
  ];
  await inParallel(count, 16, async (at) => {
    const socket = openSocket(server.port, stage.address(at));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(kinds[at % kinds.length]!, () => (at % 2 ? socket.resetAndDestroy() : socket.destroy()));
    await closed;
  });
  // The server has seen them all once it answers a client that came later.
  await inParallel(3, 1, () => send(server.port, { path: "/docs?q=after", from: stage.address(2000) }));
  const printed = server.output().slice(before);
  const stacks = printed.match(/^\s+at /gm)?.length ?? 0;
  stage.check(
    stacks === 0,
    `${count} aborted requests printed ${stacks} lines of stacks: ${printed.slice(0, 300)}`,
  );
  stage.report(`${count} aborted requests`, `${stacks} lines of stacks`);
}

async function vary(stage: Stage, server: RunningServer): Promise<void> {
  for (const path of ["/docs", "/docs/faq", "/docs/there/is/no/such/page"])
    for (const accept of ["text/markdown", "text/html"]) {
      const { headers, status } = await send(server.port, {
        path,
        headers: { accept },
        from: stage.address(2001),
      });
      const named = (headers["vary"] ?? "").toLowerCase().split(/\s*,\s*/);
      stage.check(named.includes("accept"), `${path} as ${accept} (${status}) says Vary: ${headers["vary"]}`);
    }
}

async function prototypes(stage: Stage, server: RunningServer): Promise<void> {
  for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"]) {
    const { status } = await ask(server, `/search/indexes/docs/settings/${name}`);
    stage.check(status === 404, `/search/indexes/docs/settings/${name} is answered ${status}`);
    const search = await send(server.port, {
      path: `/indexes/docs/search?${name}=1`,
      from: stage.address(2002),
    });
    stage.check(search.status === 400, `a search with the parameter ${name} is answered ${search.status}`);
  }
}

/** Everything that is run comes from the lock files. */
function packages(stage: Stage): void {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    [name: string]: unknown;
  };
  stage.check(manifest["allowScripts"] === undefined, "package.json lets packages run install scripts");
}
