/** A build of 500 steps on two platforms, in ten stages that run side by side, each step in a fifth of a second or more. */
import type { Vertex } from "../ui/timeline/build-model.ts";
import type { Recording, RecordedEvent } from "./player.ts";

const STAGES = 10;
const STEPS = 25;
const PLATFORMS = ["linux/amd64", "linux/arm64"];
const STEP_MS = 4_000;

interface Planned {
  vertex: Vertex;
  start: number;
  end: number;
}

const planned: Planned[] = PLATFORMS.flatMap((platform, side) =>
  Array.from({ length: STAGES * STEPS }, (_, index): Planned => {
    const [stage, step] = [Math.floor(index / STEPS), index % STEPS];
    const id = (at: number) => `many-${side}-${stage}-${at}`;
    const start = step * STEP_MS + stage * 200 + side * 100;
    return {
      vertex: {
        digest: id(step),
        name: `[${platform} stage${stage} ${step + 1}/${STEPS}] RUN make part-${stage}-${step}`,
        inputs: step > 0 ? [id(step - 1)] : [],
      },
      start,
      end: start + STEP_MS - ((index * 37) % 900),
    };
  }),
);

/** 20 events a second at most, the server's rate. */
export const manySteps: Recording = {
  id: "bld_many000000",
  events: [
    { at: 0, status: { vertexes: planned.map(({ vertex }) => vertex) } },
    ...planned.flatMap(({ vertex, start, end }): RecordedEvent[] => [
      { at: start, status: { vertexes: [{ ...vertex, started: start }] } },
      {
        at: end,
        status: {
          vertexes: [{ ...vertex, started: start, completed: end }],
          logs: [{ vertex: vertex.digest, text: `${vertex.name} made\n`, timestamp: end }],
        },
      },
    ]),
  ].toSorted((one, other) => one.at - other.at),
  end: { at: STEPS * STEP_MS + 2_000, result: "succeeded" },
};
