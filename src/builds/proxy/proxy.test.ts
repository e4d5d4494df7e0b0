/**
 * 1. Only a certificate of this authority, made for a client, not expired, of a running build, is let in; with TLS 1.3, with ALPN
 *    or without.
 * 2. Calls are forwarded unchanged, wherever their bytes are cut: repeated headers, answers with only trailers, resets with their
 *    code, streams of which one half has ended.
 * 3. Calls that are not on the list are refused, and Solve, Status, sessions, history and content only concern the client's own
 *    build.
 * 4. A build that is cut ends immediately, with its reason; nothing of it continues.
 * 5. A side that does not read makes the other side wait; the bytes held are bounded by the window.
 * 6. A Solve that the build's owner refuses, or a context that is too large, ends the Solve with that message, which the owner
 *    gets.
 * 7. The owner gets a client's request to a frontend within its Solve before the builder does, and a refused request is not
 *    forwarded.
 * 8. The owner is notified of an unreadable session, if its client has secrets.
 */
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { once } from "node:events";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { InfoRequestSchema } from "#builds/gen/buildkit/content_pb.ts";
import {
  BuildHistoryEventSchema,
  BuildHistoryRequestSchema,
  SolveRequestSchema,
  StatusRequestSchema,
} from "#builds/gen/buildkit/control_pb.ts";
import { SolveRequestSchema as GatewaySolveSchema } from "#builds/gen/buildkit/gateway_pb.ts";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { CLOCKS_DIFFER_MS, makeAuthority, openAuthority } from "../certificates/certificates.ts";
import { GET_SECRET } from "../context/watch-session.ts";
import { GOODBYE_MS, STREAM_WINDOW_BYTES } from "./limits.ts";
import { answerMessages, ask, CONTROL, ended, HOUR_MS, open, useTestProxy } from "../testing/proxy.ts";

const place = useTestProxy();
const REF = "ot9b92gfxsth1ic5j3j9ikwut";
const BRIDGE = "/moby.buildkit.v1.frontend.LLBBridge/";
const CONTENT = "/containerd.services.content.v1.Content/";
const ALLOWED = `${CONTROL}ListWorkers`;
const solve = (fields: MessageInitShape<typeof SolveRequestSchema> = {}) =>
  toBinary(SolveRequestSchema, create(SolveRequestSchema, { ref: REF, ...fields }));
const status = (ref = REF) => toBinary(StatusRequestSchema, create(StatusRequestSchema, { ref }));
const usual = ({ stream }: { stream: Parameters<typeof answerMessages>[0] }) =>
  answerMessages(stream, [Buffer.alloc(0)]);

afterEach(() => {
  const { builds, proxy, asked, behaviour } = place();
  for (const id of builds.keys()) proxy.cut(id);
  builds.clear();
  asked.length = 0;
  behaviour.answer = usual;
});

async function useBuild(id = "bld_a", more: Parameters<ReturnType<typeof place>["live"]>[0] = {}) {
  place().builds.set(id, place().live(more));
  return place().client(id);
}

/** Whether the server answers a call or ends the connection. */
async function tryCertificate(pair: Parameters<ReturnType<typeof place>["connect"]>[0], alpn?: string[]) {
  const tls = await place()
    .connect(pair, alpn)
    .catch((error: Error) => error);
  if (tls instanceof Error || tls.destroyed) return "refused";
  const session = connect("https://localhost", { createConnection: () => tls });
  session.on("error", () => undefined);
  const failed = new Promise<string>((resolve) => session.once("close", () => resolve("refused")));
  try {
    const answer = ask(session, ALLOWED).then(({ status: code }) => (code === -1 ? "refused" : code));
    return await Promise.race([answer, failed]);
  } finally {
    session.destroy();
  }
}

test("1. who is let in", async () => {
  const { builds, live, certify, authority } = place();
  builds.set("bld_a", live());
  const own = await certify("bld_a");
  expect(await tryCertificate(own)).toBe(0);
  expect(await tryCertificate(own, ["h2"])).toBe(0);
  expect(await tryCertificate(own, ["http/1.1"])).toBe("refused");
  expect(await tryCertificate(null)).toBe("refused");
  expect(
    await tryCertificate(await certify("bld_a", new Date(Date.now() - HOUR_MS - CLOCKS_DIFFER_MS))),
  ).toBe("refused");
  expect(
    await tryCertificate(await authority.signServer(["bld_a linux/amd64"], new Date(Date.now() + HOUR_MS))),
  ).toBe("refused");
  const other = await makeAuthority(new Date());
  expect(await tryCertificate(other)).toBe("refused");
  const foreign = await openAuthority(other);
  expect(
    await tryCertificate(await foreign.signClient("bld_a", "linux/amd64", new Date(Date.now() + HOUR_MS))),
  ).toBe("refused");
  expect(
    await tryCertificate(
      await authority.signClient("bld_a", "linux/amd64 x", new Date(Date.now() + HOUR_MS)),
    ),
  ).toBe("refused");
  const { code } = { code: await tryCertificate(await certify("bld_ended")) };
  expect(code).toBe(7);
});

test("2. calls go on as they came", async () => {
  const client = await useBuild();
  const { asked, behaviour } = place();
  const names = ["/a.A/One", "/b.B/Two", "/c.C/Three"];
  behaviour.answer = ({ stream }) => {
    stream.respond(
      { ":status": 200, "content-type": "application/grpc", "buildkit-current-timestamp": "now" },
      { waitForTrailers: true },
    );
    stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0", "x-kept": "yes" }));
    stream.pipe(stream);
  };
  const session = open(client, `${CONTROL}Session`, {
    "x-docker-expose-session-uuid": "s1",
    "x-docker-expose-session-grpc-method": names,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { minLength: 1, maxLength: 5 }),
      async (parts) => {
        const expected = Buffer.concat(parts);
        const echo = new Promise<Buffer>((resolve) => {
          const got: Buffer[] = [];
          const take = (part: Buffer) => {
            got.push(part);
            const all = Buffer.concat(got);
            if (all.length < expected.length) return;
            session.off("data", take);
            resolve(all);
          };
          session.on("data", take);
        });
        for (const part of parts) session.write(part);
        expect((await echo).equals(expected)).toBe(true);
      },
    ),
    { numRuns: 30 },
  );
  const trailers = once(session, "trailers");
  session.end();
  expect((await trailers)[0]).toMatchObject({ "grpc-status": "0", "x-kept": "yes" });
  const sent = asked[0]?.rawHeaders.filter(
    (_, at, all) => all[at - 1] === "x-docker-expose-session-grpc-method",
  );
  expect(sent).toStrictEqual(names);
});

test("2. trailers alone, resets, and a Solve cut anywhere", async () => {
  const client = await useBuild();
  const { behaviour, asked } = place();
  behaviour.answer = ({ stream }) =>
    stream.respond({ ":status": 200, "grpc-status": "5", "grpc-message": "none" }, { endStream: true });
  expect(await ask(client, ALLOWED)).toMatchObject({ status: 5, message: "none" });
  for (const code of [
    constants.NGHTTP2_CANCEL,
    constants.NGHTTP2_REFUSED_STREAM,
    constants.NGHTTP2_ENHANCE_YOUR_CALM,
  ]) {
    behaviour.answer = ({ stream }) => stream.close(code);
    expect((await ask(client, ALLOWED)).resetCode).toBe(code);
    behaviour.answer = ({ stream }) => {
      stream.respond({ ":status": 200 });
      stream.write("begun", () => stream.close(code));
    };
    // Node ends the stream before it resets it: an answer without trailers.
    const cut = await ask(client, ALLOWED);
    expect([cut.status, cut.resetCode === 0]).toStrictEqual([-1, false]);
  }
  behaviour.answer = () => undefined;
  asked.length = 0;
  const cancelled = open(client, `${CONTROL}Session`, { "x-docker-expose-session-uuid": "s2" });
  cancelled.write("x");
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const gone = once(asked[0]!.stream, "close");
  cancelled.close(constants.NGHTTP2_CANCEL);
  await gone;

  const got: Buffer[] = [];
  behaviour.answer = ({ stream }) => {
    stream.on("data", (part: Buffer) => got.push(part));
    stream.once("end", () => answerMessages(stream, []));
  };
  const bytes = frameMessage(solve({ frontendAttrs: { "build-arg:A": "b".repeat(5000) } }));
  const stream = open(client, `${CONTROL}Solve`);
  for (let at = 0; at < bytes.length; at += 7) stream.write(bytes.subarray(at, at + 7));
  stream.end();
  expect((await ended(stream)).status).toBe(0);
  expect(Buffer.concat(got).equals(bytes)).toBe(true);
});

test("3. what is refused", async () => {
  const client = await useBuild("bld_a");
  for (const path of [
    `${CONTROL}Prune`,
    `${CONTROL}DiskUsage`,
    `${CONTROL}UpdateBuildHistory`,
    `${CONTENT}Write`,
    "/moby.buildkit.v1.Control/Solve/",
    "/x",
  ])
    expect(await ask(client, path)).toMatchObject({ status: 12 });
  expect(await ask(client, `${CONTROL}Solve`, solve({ entitlements: ["security.insecure"] }))).toMatchObject({
    status: 7,
    message: "granting entitlement security.insecure is not allowed by build daemon configuration",
  });
  const compressed = open(client, `${CONTROL}Solve`);
  compressed.end(Buffer.from([1, 0, 0, 0, 0]));
  expect((await ended(compressed)).status).toBe(12);
  const twice = open(client, `${CONTROL}Solve`);
  twice.end(Buffer.concat([frameMessage(solve()), frameMessage(solve())]));
  expect((await ended(twice)).status).toBe(3);
  const large = open(client, `${CONTROL}Solve`);
  large.end(Buffer.from([0, 255, 255, 255, 255, 0]));
  expect((await ended(large)).status).toBe(8);
  expect(place().asked).toStrictEqual([]);
});

const historyOf = (client: ClientHttp2Session, ref: string, earlyExit = true) =>
  ask(
    client,
    `${CONTROL}ListenBuildHistory`,
    toBinary(BuildHistoryRequestSchema, create(BuildHistoryRequestSchema, { ref, earlyExit })),
  );

test("3. only the own build", async () => {
  const [own, other] = [await useBuild("bld_a"), await useBuild("bld_b")];
  const { behaviour, asked } = place();
  // Clients request the state of a build before they solve it.
  const early = ask(own, `${CONTROL}Status`, status());
  expect((await ask(own, `${CONTROL}Solve`, solve({ session: "mine" }))).status).toBe(0);
  expect((await early).status).toBe(0);
  expect((await ask(own, `${CONTROL}Solve`, solve())).status).toBe(6);
  asked.length = 0;
  expect((await ask(other, `${CONTROL}Solve`, solve())).status).toBe(6);
  const foreign = { "x-docker-expose-session-uuid": "mine" };
  expect((await ask(other, `${CONTROL}Session`, undefined, foreign)).status).toBe(7);
  expect(
    (await ask(other, `${CONTROL}Session`, undefined, { "x-docker-expose-session-uuid": ["o1", "mine"] }))
      .status,
  ).toBe(3);
  expect((await ask(other, `${CONTROL}Solve`, solve({ ref: `${REF}2`, session: "mine" }))).status).toBe(7);
  expect(await historyOf(other, REF)).toMatchObject({ status: 0, bytes: Buffer.alloc(0) });
  expect((await historyOf(other, "")).status).toBe(7);
  expect((await historyOf(other, REF, false)).status).toBe(7);
  expect(
    (await ask(other, `${BRIDGE}Ping`, undefined, { "buildkit-controlapi-buildid": ["x".repeat(20), REF] }))
      .status,
  ).toBe(5);
  const digest = `sha256:${"a".repeat(64)}`;
  const info = toBinary(InfoRequestSchema, create(InfoRequestSchema, { digest }));
  expect((await ask(own, `${CONTENT}Info`, info)).status).toBe(5);
  expect(asked).toStrictEqual([]);
  const event = create(BuildHistoryEventSchema, {
    record: { ref: REF, result: { attestations: [{ digest }] } },
  });
  behaviour.answer = ({ stream }) => answerMessages(stream, [toBinary(BuildHistoryEventSchema, event)]);
  expect((await historyOf(own, REF)).status).toBe(0);
  expect((await ask(own, `${CONTENT}Info`, info)).status).toBe(0);
  expect((await ask(other, `${CONTENT}Info`, info)).status).toBe(5);
  expect((await ask(own, `${BRIDGE}Ping`, undefined, { "buildkit-controlapi-buildid": REF })).status).toBe(0);
});

test("4. a build that is cut", async () => {
  const counts: number[] = [];
  const client = await useBuild("bld_a", { onConnections: (count) => counts.push(count) });
  const { asked, behaviour, builds, proxy } = place();
  behaviour.answer = () => undefined;
  const running = ask(client, `${CONTROL}Solve`, solve());
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const gone = once(asked[0]!.stream, "close");
  const closed = once(client, "close");
  builds.delete("bld_a");
  expect((await ask(client, ALLOWED)).status).toBe(7);
  proxy.cut("bld_a", "jane@acme.dev canceled the build");
  expect(await running).toMatchObject({ status: 1, message: "jane@acme.dev canceled the build" });
  await Promise.all([gone, closed]);
  await vi.waitFor(() => expect(counts).toStrictEqual([1, 0]));
});

test("4. a client that does not hang up", async () => {
  const { builds, live, certify, connect: dial, proxy } = place();
  const counts: number[] = [];
  builds.set("bld_a", live({ onConnections: (count) => counts.push(count) }));
  const tls = await dial(await certify("bld_a"));
  tls.allowHalfOpen = true;
  tls.resume().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0");
  await vi.waitFor(() => expect(counts).toStrictEqual([1]));
  proxy.cut("bld_a");
  await vi.waitFor(() => expect(counts).toStrictEqual([1, 0]), GOODBYE_MS * 5);
  tls.destroy();
});

test("5. a side that does not read", async () => {
  const client = await useBuild();
  const { asked, behaviour } = place();
  behaviour.answer = ({ stream }) => {
    stream.respond({ ":status": 200 });
    stream.pause();
  };
  const session = open(client, `${CONTROL}Session`, { "x-docker-expose-session-uuid": "s5" });
  let sent = 0;
  const part = Buffer.alloc(64 * 1024);
  const fill = () => {
    if (sent < 64 * 1024 * 1024 && !session.destroyed)
      session.write(part, () => ((sent += part.length), fill()));
  };
  fill();
  let before = -1;
  // The number of sent bytes stops changing when every window is full.
  await vi.waitFor(
    () => {
      const isStill = before === sent && sent > 0;
      before = sent;
      expect(isStill).toBe(true);
    },
    { interval: 500, timeout: 20_000 },
  );
  expect(sent).toBeLessThan(4 * STREAM_WINDOW_BYTES);
  asked[0]?.stream.resume();
  await vi.waitFor(() => expect(sent).toBe(64 * 1024 * 1024), { timeout: 20_000 });
  session.close();
});

test("6. what the build's owner refuses", async () => {
  let received = 0;
  const refused: string[] = [];
  const client = await useBuild("bld_a", {
    onRefused: (reason) => void refused.push(reason),
    onSolve: async ({ frontend }) => {
      if (frontend === "other") throw new Error("the build has 2 platforms already");
    },
    onReceived: (bytes) => {
      received += bytes;
      if (received > 100_000) throw new Error("the context is larger than 100 KB: add a .dockerignore");
    },
  });
  const { behaviour } = place();
  expect(await ask(client, `${CONTROL}Solve`, solve({ frontend: "other" }))).toMatchObject({
    status: 9,
    message: "the build has 2 platforms already",
  });
  behaviour.answer = ({ stream }) => stream.resume();
  const running = ask(client, `${CONTROL}Solve`, solve());
  const session = open(client, `${CONTROL}Session`, { "x-docker-expose-session-uuid": "s6" });
  session.write(Buffer.alloc(200_000));
  expect(await running).toMatchObject({ status: 8, message: expect.stringContaining("add a .dockerignore") });
  expect((await ended(session)).status).toBe(8);
  expect(refused).toContain("the context is larger than 100 KB: add a .dockerignore");
});

test("8. what cannot be read along", async () => {
  let unread = 0;
  const client = await useBuild("bld_a", { onUnread: () => void (unread += 1) });
  place().behaviour.answer = ({ stream }) => {
    stream.once("end", () => answerMessages(stream, [])).resume();
  };
  const send = async (id: string, methods: readonly string[]) => {
    const session = open(client, `${CONTROL}Session`, {
      "x-docker-expose-session-uuid": id,
      "x-docker-expose-session-grpc-method": [...methods],
    });
    session.end(Buffer.from([1, 0, 0, 0, 1, 0]));
    await ended(session);
  };
  await send("s8", ["/moby.filesync.v1.FileSync/DiffCopy"]);
  expect(unread).toBe(0);
  await send("s9", ["/moby.filesync.v1.FileSync/DiffCopy", GET_SECRET]);
  expect(unread).toBe(1);
});

test("7. what a frontend is asked", async () => {
  const { asked, behaviour } = place();
  const told: [string, Record<string, string>, number][] = [];
  const client = await useBuild("bld_a", {
    onFrontend: async (frontend, attributes) => {
      await Promise.resolve();
      told.push([frontend, attributes, asked.filter(({ path }) => path === `${BRIDGE}Solve`).length]);
      if (attributes["target"] === "last") throw new Error("a build asks its frontends at most twice");
    },
  });
  behaviour.answer = ({ path, stream }) => {
    if (path === `${CONTROL}Solve`) stream.resume();
    else usual({ stream });
  };
  const running = open(client, `${CONTROL}Solve`, {});
  running.end(frameMessage(solve()));
  const askFrontend = (fields: MessageInitShape<typeof GatewaySolveSchema>) =>
    ask(client, `${BRIDGE}Solve`, toBinary(GatewaySolveSchema, create(GatewaySolveSchema, fields)), {
      "buildkit-controlapi-buildid": REF,
    });
  const frontendOpt = { "build-arg:NPM_TOKEN": "npm-value-1" };
  expect((await askFrontend({ frontend: "dockerfile.v0", frontendOpt })).status).toBe(0);
  expect((await askFrontend({})).status).toBe(0);
  expect(await askFrontend({ frontend: "dockerfile.v0", frontendOpt: { target: "last" } })).toMatchObject({
    status: 9,
    message: "a build asks its frontends at most twice",
  });
  expect(told).toEqual([
    ["dockerfile.v0", frontendOpt, 0],
    ["dockerfile.v0", { target: "last" }, 2],
  ]);
  expect(asked.filter(({ path }) => path === `${BRIDGE}Solve`)).toHaveLength(2);
  running.close();
});
