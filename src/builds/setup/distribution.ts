/** The package managers of Linux distributions, and their names of packages. */
import { findProgram } from "../machine/programs.ts";

export type Command = readonly string[];

export interface Distribution {
  /** Name of its program: `apt-get`. */
  manager: string;
  /** @returns commands for root, in order */
  install: (programs: readonly string[]) => Command[];
}

interface Manager {
  name: string;
  before: readonly Command[];
  install: Command;
  /** By program; packages of other programs are in `base`. */
  packages: Readonly<Record<string, string>>;
  /** The package of `unshare`, `nsenter`, `setpriv` and `mount`. */
  base: string;
}

/** In this order: a machine may have a foreign manager in addition to its own. */
const MANAGERS: readonly Manager[] = [
  {
    name: "apt-get",
    before: [["apt-get", "update"]],
    install: [
      "env",
      "DEBIAN_FRONTEND=noninteractive",
      "apt-get",
      "install",
      "--yes",
      "--no-install-recommends",
    ],
    packages: { ip: "iproute2", newuidmap: "uidmap", newgidmap: "uidmap", mount: "mount", go: "golang-go" },
    base: "util-linux",
  },
  {
    name: "dnf",
    before: [],
    install: ["dnf", "install", "--assumeyes"],
    packages: { ip: "iproute", newuidmap: "shadow-utils", newgidmap: "shadow-utils", go: "golang" },
    base: "util-linux",
  },
  {
    name: "zypper",
    before: [],
    install: ["zypper", "--non-interactive", "install", "--no-recommends"],
    packages: { ip: "iproute2", newuidmap: "shadow", newgidmap: "shadow", go: "go" },
    base: "util-linux",
  },
  {
    name: "pacman",
    before: [],
    install: ["pacman", "--sync", "--needed", "--noconfirm"],
    packages: { ip: "iproute2", newuidmap: "shadow", newgidmap: "shadow", go: "go" },
    base: "util-linux",
  },
  {
    name: "apk",
    before: [],
    install: ["apk", "add"],
    packages: {
      ip: "iproute2",
      newuidmap: "shadow-uidmap",
      newgidmap: "shadow-uidmap",
      go: "go",
      setpriv: "setpriv",
      mount: "mount",
    },
    base: "util-linux-misc",
  },
];
/** Packages with the name of their program everywhere. */
const OWN_NAMES: ReadonlySet<string> = new Set(["runc", "slirp4netns"]);

/** @param path of programs. @returns null for an unknown distribution */
export async function findDistribution(path: string): Promise<Distribution | null> {
  const found = await Promise.all(MANAGERS.map(({ name }) => findProgram(name, path)));
  const manager = MANAGERS.find((_, at) => found[at] !== null);
  if (!manager) return null;
  const { name, before, install, packages, base } = manager;
  const packageOf = (program: string) => packages[program] ?? (OWN_NAMES.has(program) ? program : base);
  return {
    manager: name,
    install: (programs) =>
      programs.length === 0 ? [] : [...before, [...install, ...new Set(programs.map(packageOf))]],
  };
}
