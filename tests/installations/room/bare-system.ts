/** A bare Debian as its installer leaves it, without Node.js: made once, and never written to. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { cannotHave, findDebianTool, installOnce } from "../../clients/cache/install-tool.ts";

const run = promisify(execFile);
const MAKE_MS = 900_000;
/** Debian stable, by the name that it keeps. */
const SUITE = "trixie";
/** What its installer brings beside the essential packages, and git, which the pages ask for. */
const PACKAGES = [
  "ca-certificates",
  "curl",
  "dbus",
  "git",
  "iproute2",
  "libpam-systemd",
  "sudo",
  "systemd-sysv",
];
const KEY = createHash("sha256")
  .update([SUITE, ...PACKAGES].join())
  .digest("hex")
  .slice(0, 8);

/** @returns its folder; null where it cannot be had, which is said */
export async function findBareSystem(): Promise<string | null> {
  if (process.getuid?.() !== 0) return cannotHave("a room", "namespaces and mounts need root");
  for (const [program, name, version] of [
    ["mmdebstrap", "mmdebstrap", "1."],
    ["slirp4netns", "slirp4netns", "1."],
    ["nft", "nftables", "1."],
    ["ip", "iproute2", "6."],
  ] as const)
    if (!(await findDebianTool(program, { package: name, version }))) return null;
  const folder = await installOnce(`bare-debian-${SUITE}-${KEY}`, async (into) => {
    const options = ["--variant=minbase", `--include=${PACKAGES.join()}`, ...(await proxyOptions())];
    await run("mmdebstrap", [...options, SUITE, join(into, "root")], { timeout: MAKE_MS });
  });
  return folder && join(folder, "root");
}

/** How this machine's apt reaches Debian, if by a proxy. */
async function proxyOptions(): Promise<string[]> {
  return (await aptProxies()).map((line) => `--aptopt=${line}`);
}

/** Lines of an `apt.conf`; none on a machine with plain internet. */
export async function aptProxies(): Promise<string[]> {
  const { stdout } = await run("apt-config", ["dump", "Acquire::http::Proxy", "Acquire::https::Proxy"]);
  return stdout.split("\n").filter((line) => /Proxy "[^"]+";$/.test(line));
}
