/** A bare Debian as its installer leaves it, without Node.js: made once, and never written to. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { cannotHave, findDebianTool, installOnce } from "../../clients/cache/install-tool.ts";

const run = promisify(execFile);
const MAKE_MS = 900_000;
/** Debian stable, by its permanent name. */
const SUITE = "trixie";
/** The installer's packages in addition to the essential ones, and git, which the pages require. */
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
/** No power fails here, and dpkg would wait for the disk after each file. The option stays in the rooms. */
const DPKG = ["--dpkgopt=force-unsafe-io"];
const KEY = createHash("sha256")
  .update([SUITE, ...PACKAGES, ...DPKG].join())
  .digest("hex")
  .slice(0, 8);

/** @returns its folder; null, with a message, where it cannot be had */
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
    const options = ["--variant=minbase", `--include=${PACKAGES.join()}`, ...DPKG, ...(await proxyOptions())];
    await run("mmdebstrap", [...options, SUITE, join(into, "root")], { timeout: MAKE_MS });
  });
  return folder && join(folder, "root");
}

/** The way of this machine's apt to Debian, if by a proxy. */
async function proxyOptions(): Promise<string[]> {
  return (await aptProxies()).map((line) => `--aptopt=${line}`);
}

/** Lines of an `apt.conf`; none on a machine with plain internet. */
export async function aptProxies(): Promise<string[]> {
  const { stdout } = await run("apt-config", ["dump", "Acquire::http::Proxy", "Acquire::https::Proxy"]);
  return stdout.split("\n").filter((line) => /Proxy "[^"]+";$/.test(line));
}
