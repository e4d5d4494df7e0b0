import { join } from "node:path";
import { cacheFolder } from "#server/pages/build-folders.ts";
import type { Attack, Stage } from "../attack.ts";
import { send } from "../requests.ts";

const hostile = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "</script><script>alert(1)//",
  '<script type="text/x-client">alert(1)</script>',
];

export const injectedMarkup: Attack = {
  item: 15,
  name: "markup that came in with content",
  bound: "The policy of a page does not depend on what stands in it, and HSTS is sent for https only.",
  async run(stage) {
    const server = await stage.target();
    const policy = async (path: string) => {
      const { headers } = await send(server.port, { path, from: stage.address() });
      return headers["content-security-policy"] ?? "";
    };
    const built = await policy("/docs");
    stage.check(built.includes("script-src"), "/docs has no Content-Security-Policy");
    let same = 0;
    const queries = ["cache", ...hostile];
    for (const query of queries) {
      const found = await policy(`/docs?q=${encodeURIComponent(query)}`);
      if (stage.check(found === built, `the policy of /docs?q=${query} differs from that of /docs: ${found}`))
        same++;
    }
    const { headers } = await send(server.port, { path: "/docs", from: stage.address() });
    stage.check(
      headers["strict-transport-security"] === undefined,
      "HSTS is sent for an origin without https",
    );
    stage.report("policies of pages with hostile content", `${same} of ${queries.length} are the page's own`);
    if (stage.isLong) await strictTransport(stage);
  },
};

/** Its pages are built for another address, which takes a while. */
async function strictTransport(stage: Stage): Promise<void> {
  const env = { SITE_ORIGIN: "https://docs.example.com", BUILD_DIR: join(cacheFolder, "attack-build") };
  const server = await stage.server({ env });
  for (const path of ["/", "/docs", "/docs?q=cache", "/nothing/here", "/health", "/console"]) {
    const { headers } = await send(server.port, { path, from: stage.address() });
    const found = headers["strict-transport-security"] ?? "";
    stage.check(/max-age=[1-9]\d{6,}/.test(found), `${path} of an https origin says HSTS "${found}"`);
  }
}
