/**
 * The machines of this installation, and what each can run. A server knows its own machine, and reports it when it reports that it
 * is alive; another server's report is at most as old as that.
 */
import { z } from "zod";
import { type Caller, isOperator } from "#accounts/index.ts";
import type { Builds, Capabilities } from "../contract/builds.ts";
import type { BuildParts } from "../contract/parts.ts";
import { findScope } from "../records/list-builds.ts";
import type { Servers } from "./servers.ts";

/** While something is missing, someone may be installing it. */
const LOOK_AGAIN_MS = { missing: 10_000, ready: 60_000 };

const about = z.object({
  machine: z
    .object({
      name: z.string(),
      platforms: z.array(z.string()),
      cpus: z.number(),
      memoryBytes: z.number(),
      freeBytes: z.number(),
      builders: z.array(
        z.object({
          organizationId: z.string(),
          projectId: z.string(),
          platform: z.string(),
          cpus: z.number(),
          isWarm: z.boolean(),
        }),
      ),
    })
    .nullable(),
  capabilities: z.array(
    z.object({
      name: z.string(),
      state: z.enum(["ready", "limited", "missing"]),
      lost: z.string(),
      command: z.string(),
    }),
  ),
});
type About = z.infer<typeof about>;

export interface Machines extends Pick<Builds, "capabilities"> {
  /** For the other servers; null until it is known. Checks again in the background. */
  tell: () => string | null;
}

type Parts = Pick<BuildParts, "accounts" | "builders" | "clock" | "database" | "log">;

export function createMachines(parts: Parts, servers: () => Servers): Machines {
  const { builders, clock, log } = parts;
  let known: About | null = null;
  let knownAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<About> | null = null;
  const look = () =>
    (looking ??= readOwn(parts)
      .then((found) => {
        knownAt = clock();
        return (known = found);
      })
      .finally(() => (looking = null)));
  return {
    tell() {
      const isMissing = known?.capabilities.some(({ state }) => state === "missing") ?? false;
      if (Math.abs(clock() - knownAt) >= LOOK_AGAIN_MS[isMissing ? "missing" : "ready"])
        look().catch((error: unknown) =>
          log.warn("Could not find out what this machine can run.", { error }),
        );
      return known && JSON.stringify(known);
    },
    async capabilities(caller) {
      // A caller who may not read builds learns nothing about the builders.
      const { organizationId } = await findScope(parts, caller, "");
      const [own, others] = await Promise.all([look(), builders.isShared ? [] : servers().others()]);
      const all = [
        { ...own, isHere: true, heardAt: clock() },
        ...others.map(({ about: said, address, heardAt }) => ({
          ...readSaid(said, address),
          isHere: false,
          heardAt,
        })),
      ];
      return show(all, { caller, organizationId });
    },
  };
}

async function readOwn({ builders }: Parts): Promise<About> {
  const [machine, capabilities] = await Promise.all([builders.machine(), builders.check()]);
  return { machine, capabilities: [...capabilities] };
}

/** A server of an earlier release reports nothing; one of a later release may use another form. */
function readSaid(said: string | null, address: string): About {
  const parsed = about.safeParse(readJson(said ?? ""));
  if (parsed.success) return parsed.data;
  const machine = { name: address, platforms: [], cpus: 0, memoryBytes: 0, freeBytes: 0, builders: [] };
  return { machine, capabilities: [] };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type ServerReport = About & { isHere: boolean; heardAt: number };

/** Projects of other organizations have no names here, and only operators see commands. */
function show(all: readonly ServerReport[], to: { caller: Caller; organizationId: string }): Capabilities {
  const mayMend = isOperator(to.caller.actor);
  return {
    capabilities: all.flatMap(({ machine, capabilities }) =>
      capabilities.map((each) => ({
        ...each,
        command: mayMend ? each.command : "",
        machine: machine?.name ?? "",
      })),
    ),
    machines: all.flatMap(({ machine, isHere, heardAt }) =>
      machine
        ? [
            {
              ...machine,
              isHere,
              heardAt,
              builders: machine.builders.map(({ organizationId, projectId, ...builder }) => ({
                ...builder,
                projectId: organizationId === to.organizationId ? projectId : "",
              })),
            },
          ]
        : [],
    ),
  };
}
