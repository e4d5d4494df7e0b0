import { type BuildResult, type BuildStatus, newBuild } from "../ui/timeline/build-model.ts";
import { BuildStore } from "../ui/timeline/build-store.ts";

/** A build to replay: times in milliseconds since its start. */
export interface Recording {
  id: string;
  events: readonly RecordedEvent[];
  /** The build's end; without it the recording stops in the middle. */
  end?: { at: number; result: Exclude<BuildResult, "running"> };
}

export interface RecordedEvent {
  at: number;
  status: BuildStatus;
}

/** Times as if on a clock that is `speed` times slower than the recording. */
function moveTimes({ vertexes, statuses, logs }: BuildStatus, move: (at: number) => number): BuildStatus {
  return {
    ...(statuses && { statuses }),
    ...(vertexes && {
      vertexes: vertexes.map(({ started, completed, ...vertex }) => ({
        ...vertex,
        ...(started !== undefined && { started: move(started) }),
        ...(completed !== undefined && { completed: move(completed) }),
      })),
    }),
    ...(logs && { logs: logs.map((log) => ({ ...log, timestamp: move(log.timestamp) })) }),
  };
}

/** The recording's state at a time, in milliseconds since its start, which is at `startedAt`. */
export function readTo(recording: Recording, time: number, startedAt: number): BuildStore {
  const store = new BuildStore(newBuild(startedAt));
  for (const event of recording.events)
    if (event.at <= time) store.apply(moveTimes(event.status, (at) => startedAt + at));
  if (recording.end && recording.end.at <= time)
    store.end(recording.end.result, startedAt + recording.end.at);
  store.flush();
  return store;
}

/** Replays from now on. @returns the store, and a function that starts the replay and returns one that ends it */
export function prepare(recording: Recording, speed: number): { store: BuildStore; run: () => () => void } {
  const startedAt = Date.now();
  const store = new BuildStore(newBuild(startedAt));
  const move = (at: number) => startedAt + at / speed;
  const waiting = [...recording.events];
  const { end } = recording;
  let timer = 0;
  const step = () => {
    while (waiting[0] && move(waiting[0].at) <= Date.now()) {
      const event = waiting.shift();
      if (event) store.apply(moveTimes(event.status, move));
    }
    if (waiting.length > 0) timer = window.setTimeout(step, 30);
    else if (end && move(end.at) > Date.now()) timer = window.setTimeout(step, 30);
    else if (end) store.end(end.result, move(end.at));
  };
  const run = () => {
    step();
    return () => clearTimeout(timer);
  };
  return { store, run };
}
