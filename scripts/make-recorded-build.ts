/**
 * Makes the recording on the component pages from a builder's log of its builds, line by line:
 *
 *   npm run node scripts/make-recorded-build.ts -- record-sample.jsonl cshfm18r 8sg5kahe
 *
 * The recording has names, states and durations of steps. Start times follow from the steps' order, and dependencies from their
 * names.
 */
import { readFileSync, writeFileSync } from "node:fs";

interface Line {
  at?: number;
  ref?: string;
  step?: string;
  state?: "queued" | "running" | "done" | "cached";
  ms?: number;
  history?: string;
  seconds?: number;
}

const OUT = "src/app/dev/recorded-build.json";
const [file, ...refs] = process.argv.slice(2).filter((part) => part !== "--");
if (!file || refs.length === 0)
  throw new Error("Name the recording and the builds in it: record-sample.jsonl cshfm18r");
const lines = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);
const text = JSON.stringify({ builds: refs.map(read) }, null, 1);
if (text.length > 60_000)
  throw new Error(`The recording is ${text.length} characters long: name fewer builds.`);
writeFileSync(OUT, `${text}\n`);

function read(ref: string) {
  const steps = lines.filter((line) => line.ref === ref && line.step);
  const titles = [...new Set(steps.map(({ step = "" }) => step))];
  const idOf = (title: string) => `${ref}-${titles.indexOf(title) + 1}`;
  const begun = new Map<string, number>();
  let clock = 0;
  const events = steps.map(({ step = "", state, ms = 0 }) => {
    const vertex = { digest: idOf(step), name: step, inputs: inputsOf(step, titles).map(idOf) };
    if (state === "queued") return { at: clock, vertex };
    if (state === "running") {
      begun.set(step, clock);
      return { at: clock, vertex: { ...vertex, started: clock } };
    }
    const started = begun.get(step) ?? clock;
    clock = Math.max(clock, started + ms);
    return { at: clock, vertex: { ...vertex, started, completed: started + ms, cached: state === "cached" } };
  });
  return { id: ref, seconds: Math.max(clock / 1000, 0.1), events };
}

function inputsOf(title: string, titles: readonly string[]): string[] {
  const place = /^\[(.*?) ?(\d+)\/(\d+)\]/.exec(title);
  if (!place) return [];
  const [, stage, at] = place;
  const context = /\] (?:COPY|ADD) (?!--from)/.test(title) ? "[internal] load build context" : null;
  const from = /--from=(\S+)/.exec(title)?.[1];
  const source = titles
    .filter((other) => from !== undefined && other.startsWith(`[${from} `))
    .sort()
    .at(-1);
  const before = titles.find((other) => other.startsWith(`[${stage} ${Number(at) - 1}/`.replace("[ ", "[")));
  const base = titles.find(
    (other) => Number(at) === 1 && other.startsWith("[context ") && !other.includes("metadata"),
  );
  return [before, base, source, context].filter(
    (input): input is string => typeof input === "string" && titles.includes(input),
  );
}
