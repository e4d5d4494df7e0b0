/** Describes what this machine can run, in words for people (decision 051). */
import { access, statfs } from "node:fs/promises";
import { availableParallelism, hostname, totalmem, userInfo } from "node:os";
import { CANNOT, type Capability, IMAGES, joinWords, LIMITS } from "../capability.ts";
import { listRunning, type Machine, type MachineState } from "../machine.ts";
import { findPlatforms } from "../platforms.ts";
import { findLacks, type Lack } from "./find-lacks.ts";

/** What this machine lacks for builders. */
export const lacksOf = ({ options }: Pick<Machine, "options">): Promise<Lack[]> =>
  findLacks({
    env: process.env,
    user: nameUser(),
    dataFolder: options.dataFolder,
    locateBuildkitd: options.locateBuildkitd,
  });

/** Windows has no user ids. */
function nameUser(): { name: string; id: number } {
  const id = process.getuid?.() ?? 0;
  try {
    return { name: userInfo().username, id };
  } catch {
    // A container's user may have no name.
    return { name: String(id), id };
  }
}

export async function checkMachine(machine: Machine): Promise<Capability[]> {
  const lacks = await lacksOf(machine);
  const { setupCommand, buildx } = machine.options;
  const [native = "linux", ...others] = findPlatforms();
  const ready = (name: string): Capability => ({ name, state: "ready", lost: "", command: "" });
  if (lacks.length > 0) {
    const isMended = lacks.every((lack) => lack.isMended);
    const lost = describeLacks(lacks) + (setupCommand === "" ? adviseImage(lacks) : "");
    return [{ name: IMAGES + native, state: "missing", lost, command: isMended ? setupCommand : "" }];
  }
  const { missing } = machine.groups;
  const limits: Capability = {
    ...ready(LIMITS),
    ...(missing !== null && { state: "limited", lost: describeLimits(missing) }),
  };
  const hasBuildx = await access(buildx).then(
    () => true,
    () => false,
  );
  const help: Capability = {
    ...ready(BUILDX),
    ...(!hasBuildx && { state: "limited", lost: NO_BUILDX, command: setupCommand }),
  };
  return [
    ready(IMAGES + native),
    ...others.map((platform): Capability => ({
      ...ready(IMAGES + platform),
      ...describeOther(native, platform),
    })),
    limits,
    help,
  ];
}

/** One sentence, or two. */
export function describeLacks(lacks: readonly Lack[]): string {
  const nouns = lacks.flatMap((lack) => lack.nouns);
  const clauses = lacks.map(({ clause }) => clause).filter((clause) => clause !== "");
  const absent =
    nouns.length === 0 ? [] : [`${joinWords(nouns)} ${nouns.length === 1 ? "is" : "are"} missing`];
  return `${CANNOT}: ${[...absent, ...clauses].join("; ")}.`;
}

/** An image's programs are fixed, and its rights are given from outside. */
function adviseImage(lacks: readonly Lack[]): string {
  const kinds = new Set(lacks.map(({ kind }) => kind));
  if (kinds.has("programs") || kinds.has("buildkit"))
    return " The container runs an image without builders: use the image that has them.";
  const isRight = kinds.has("namespaces") || kinds.has("user-ids") || kinds.has("tun");
  return isRight ? " Start the container with the rights that deploy/compose.yaml gives it." : "";
}

const describeLimits = (missing: string) =>
  `Builds run, but nothing limits how much memory and CPU a build uses. Control groups lack ${missing}.`;

const BUILDX = "buildx for command-line tools";
const NO_BUILDX =
  "Command-line tools on machines without Docker’s buildx cannot build: this server does not provide it.";

/** A 64-bit processor runs 32-bit programs. */
const describeOther = (native: string, platform: string): Partial<Capability> =>
  native === "linux/amd64" && platform === "linux/386"
    ? {}
    : {
        state: "limited",
        lost: "By emulation only: several times slower than on a machine of that architecture.",
      };

/** The machine's resources, and what is using them. */
export async function describeMachine({ options, slots }: Machine): Promise<MachineState> {
  const { bavail, bsize } = await statfs(options.dataFolder);
  return {
    name: hostname(),
    platforms: findPlatforms(),
    cpus: availableParallelism(),
    memoryBytes: totalmem(),
    freeBytes: bavail * bsize,
    builders: listRunning(slots),
  };
}
