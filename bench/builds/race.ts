/** Two builds of the same Dockerfile as six lanes, from what the API says of their steps. */
import type { Build, Step } from "#api/gen/json-types.ts";

/** Seconds since the build has started. */
interface Span {
  start: number;
  seconds: number;
}

export interface RaceLane {
  name: string;
  cold: Span;
  warm: Span & { isCached: boolean };
}

const BASE = /^\[context |\] FROM /;
const INSTRUCTION = /^\[build \d+\/\d+\] (?!FROM )(.+)/;

/** The base image, each instruction of the stage `build`, and what follows it: the other stage, the export and the push. */
export function toRace({ cold, warm }: { cold: Build; warm: Build }) {
  const names = [...new Set(cold.steps.map(({ name }) => laneOf(name)))].filter((name) => name !== null);
  const lanes = names.map((name): RaceLane => {
    const again = stepsOf(warm, name);
    const isCached = again.every((step) => step.cached || name.startsWith("FROM"));
    const span = spanOf(warm, again);
    return {
      name,
      cold: spanOf(cold, stepsOf(cold, name)),
      warm: { ...span, seconds: isCached ? 0 : span.seconds, isCached },
    };
  });
  lanes.sort((one, other) => one.cold.start - other.cold.start);
  return { cold: aboutBuild(cold), warm: aboutBuild(warm), lanes };
}

function laneOf(name: string): string | null {
  if (name.startsWith("[internal]")) return null;
  if (BASE.test(name)) return "FROM go";
  return INSTRUCTION.exec(name)?.[1]?.replaceAll(/--mount=\S+ /g, "") ?? "export and push";
}

const stepsOf = ({ steps }: Build, lane: string) => steps.filter(({ name }) => laneOf(name) === lane);

function spanOf(build: Build, steps: readonly Step[]): Span {
  const start = Math.min(...steps.map(({ started_at }) => since(build, started_at)));
  const end = Math.max(...steps.map(({ finished_at }) => since(build, finished_at)));
  return { start: round(start), seconds: round(end - start) };
}

const since = (build: Build, time: string | undefined) =>
  (Date.parse(time ?? "") - Date.parse(build.started_at ?? "")) / 1000;
const round = (seconds: number) => Math.round(seconds * 10) / 10;

const aboutBuild = (build: Build) => ({ id: build.id, seconds: round(since(build, build.finished_at)) });
