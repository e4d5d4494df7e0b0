import { createHash } from "node:crypto";
import type { Attack, Stage } from "../attack.ts";
import { read } from "../documents.ts";
import { ask as askRegistry, digestOf, makeRepository, OCI_IMAGE, OCI_INDEX } from "../registry-client.ts";
import { type Answer, json, send, type Sent } from "../requests.ts";
import type { RunningServer } from "../server-process.ts";
import { asOwner } from "../sign-in.ts";

const ESCAPE = "\u001B";
/** Names that others may give to people, branches and builds. */
const NAMES: [what: string, text: string][] = [
  ["markup", `</script><img src=x onerror="alert(1)">`],
  ["a terminal's title", `${ESCAPE}]0;pwned\u0007`],
  ["a link of a terminal", `${ESCAPE}]8;;javascript:alert(1)${ESCAPE}\\link${ESCAPE}]8;;${ESCAPE}\\`],
  ["a cleared screen", `${ESCAPE}[2J${ESCAPE}c`],
  ["another direction", "\u202Egnp.exe\u202C \u2066x"],
  ["nothing to see", "\u200B\u200D\uFEFF"],
  ["marks", `a${"\u0301".repeat(10_000)}`],
  ["NUL", "a\u0000b"],
  ["half a sign", "a\uD800b"],
  ["a formula", `=HYPERLINK("http://evil.example","x")`],
  ["a style", "x;background:url(//evil.example)"],
  ["an address", "javascript:alert(1)"],
];
const SCRIPT = Buffer.from("navigator.serviceWorker;top.hostile=1");
/** Headers with which a browser would run it, or make it a worker. */
const WANTED = { "sec-fetch-dest": "serviceworker", "service-worker": "script", accept: "text/javascript" };
const TYPES = ["text/html", "text/javascript", "image/svg+xml", "application/xhtml+xml", "text/xml"];
/** Orders to a terminal, as bytes. */
// oxlint-disable-next-line no-control-regex
const ORDERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

export const foreignText: Attack = {
  item: 37,
  name: "text and files of others",
  bound:
    "Hostile names are kept as they are or refused in words, and give no order to whoever reads the log; no file that someone put here is a page, a script or a worker of this origin.",
  async run(stage) {
    const server = await stage.server({ env: { ACCESS_LOG: undefined } });
    await names(stage, server);
    await files(stage, server);
    const found = ORDERS.exec(server.output());
    stage.check(!found, `the log has ${JSON.stringify(found?.[0])}`);
  },
};

/** In fields that anyone may fill, in a header that the log repeats, and in addresses. */
async function names(stage: Stage, server: RunningServer): Promise<void> {
  let [kept, refused] = [0, 0];
  for (const [what, text] of NAMES) {
    for (const [method, body] of [
      ["TokenService/Create", { name: text, type: "org" }],
      ["ProjectService/Create", { name: text }],
      ["OrganizationService/CreateInvitation", { mail: `${text}@acme.example`, role: "member" }],
    ] as const) {
      const answer = await send(server.port, json(`/api/millrace.v1.${method}`, body, { headers: asOwner }));
      const { token } = read<{ token: { name: string } }>(answer);
      const isKept = answer.status === 200 && (!token || token.name === text);
      const isRefused = answer.status >= 400 && answer.status < 500;
      stage.check(
        isKept || isRefused,
        `${method} with ${what}: ${answer.status} ${answer.body.toString().slice(0, 200)}`,
      );
      if (isKept) kept += 1;
      else refused += 1;
      stage.check(
        /json/.test(answer.headers["content-type"] ?? ""),
        `${method} with ${what} is answered as ${answer.headers["content-type"]}`,
      );
    }
    // No client can send the other characters in a header.
    const agent = Buffer.from(text)
      .toString("latin1")
      .replaceAll(/[^ -~\u0080-\u00ff]/g, "");
    const headers = { "user-agent": agent };
    for (const path of [
      `/docs?q=${encodeURIComponent(text.toWellFormed())}`,
      `/docs/${encodeURIComponent(text.toWellFormed()).slice(0, 2_000)}`,
    ]) {
      const { status } = await send(server.port, { path, headers, from: stage.address() });
      stage.check(status < 500 || status === 0, `${path.slice(0, 60)}: ${status}`);
    }
  }
  stage.report("hostile names", `${kept} kept as they are, ${refused} refused`);
}

async function files(stage: Stage, server: RunningServer): Promise<void> {
  const { base } = await makeRepository(server, "files");
  const entry = `/cache/gradle/${createHash("md5").update(SCRIPT).digest("hex")}`;
  await send(server.port, { method: "PUT", path: entry, body: SCRIPT, headers: asOwner });
  const upload: Sent = {
    method: "POST",
    path: `${base}/blobs/uploads/?digest=${digestOf(SCRIPT)}`,
    body: SCRIPT,
  };
  stage.check((await askRegistry(server, upload)).status === 201, "a layer with a script was not taken");
  const paths = [entry, `${base}/blobs/${digestOf(SCRIPT)}`];
  for (const [at, type] of TYPES.entries()) {
    const blob = { mediaType: type, digest: digestOf(SCRIPT), size: SCRIPT.length };
    const image = {
      schemaVersion: 2,
      mediaType: OCI_IMAGE,
      artifactType: type,
      config: blob,
      layers: [blob],
    };
    for (const sent of [type, OCI_IMAGE]) {
      const path = `${base}/manifests/t${at}`;
      const put = {
        method: "PUT",
        path,
        headers: { "content-type": sent },
        body: JSON.stringify({ ...image, mediaType: sent }),
      };
      const { status } = await askRegistry(server, put);
      stage.check(status < 500, `a manifest of ${type}: ${status}`);
      if (status === 201) paths.push(path);
    }
  }
  paths.push(
    `${base}/tags/list`,
    `${base}/referrers/${digestOf(SCRIPT)}`,
    `${base}/manifests/<script>`,
    `/cache/<script>/x`,
  );
  let harmless = 0;
  for (const path of paths) {
    const answer = await askRegistry(server, {
      path,
      headers: { ...WANTED, ...(path.includes("/manifests/") && { accept: `${OCI_IMAGE}, ${OCI_INDEX}` }) },
    });
    if (stage.check(isHarmless(answer), `${path}: ${answer.status} ${JSON.stringify(answer.headers)}`))
      harmless += 1;
  }
  stage.report(
    "files of others, asked for as a worker",
    `${harmless} of ${paths.length} can be no page, script or worker`,
  );
}

/** A browser guesses no type, runs none of these, and gives it no origin if it is opened or framed. */
function isHarmless({ headers }: Answer): boolean {
  const type = headers["content-type"] ?? "";
  return (
    headers["x-content-type-options"] === "nosniff" &&
    /sandbox/.test(headers["content-security-policy"] ?? "") &&
    !/html|javascript|ecmascript|svg|xml|css/i.test(type) &&
    headers["service-worker-allowed"] === undefined
  );
}
