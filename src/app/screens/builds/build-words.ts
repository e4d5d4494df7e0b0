/** Builds in words. Pure. */
import type { Build } from "#api/gen/json-types.ts";
import { cutText, formatClock, formatDateTime, formatTook, showInvisible } from "../../format.ts";
import type { ChannelPart } from "../../ui/channel/channel.tsx";
import type { State } from "../../ui/status.tsx";

const MAX_TITLE = 120;
const SHORT_SHA = 7;
const MAX_REF = 28;

const STATES: ReadonlySet<string> = new Set(["queued", "running", "succeeded", "failed", "canceled"]);

/** An unknown state is shown as waiting. */
export const stateOf = ({ state }: Pick<Build, "state">): State =>
  STATES.has(state) ? (state as State) : "queued";

export const isOver = ({ state }: Pick<Build, "state">): boolean =>
  state === "succeeded" || state === "failed" || state === "canceled";

type Named = Pick<Build, "id" | "labels" | "branch" | "commit_sha">;

/** The commit's first line, as reported by the build's client; otherwise the build's origin. */
export function titleOf({ id, labels, branch, commit_sha: sha }: Named): string {
  const told = labels["title"]?.trim();
  if (told) return cutText(told, MAX_TITLE);
  const place = [branch && cutMiddle(branch), sha && shortSha(sha)].filter(Boolean).join(" at ");
  return place || id;
}

/** `9f31c7e`; anything but a sha is cut. */
export const shortSha = (sha: string) =>
  /^[0-9a-f]{40,64}$/.test(sha) ? sha.slice(0, SHORT_SHA) : cutText(sha, MAX_REF);

/** `express-checkout`, `renovate/major…-monorepo`: a name's end says as much as its beginning. */
export function cutMiddle(text: string): string {
  const characters = [...cutText(text, 400)];
  if (characters.length <= MAX_REF) return characters.join("");
  const half = (MAX_REF - 1) / 2;
  const [first, last] = [characters.slice(0, Math.ceil(half)), characters.slice(-Math.floor(half))];
  return `${first.join("")}…${last.join("")}`;
}

/** Milliseconds since 1970; null when absent. */
export const timeOf = (time: string | undefined): number | null => {
  const at = Date.parse(time ?? "");
  return Number.isNaN(at) ? null : at;
};

type Timed = Pick<Build, "started_at" | "finished_at">;

/** Milliseconds from its start to its end; null while it has not ended. */
export function tookOf({ started_at, finished_at }: Timed): number | null {
  const [start, end] = [timeOf(started_at), timeOf(finished_at)];
  return start === null || end === null ? null : Math.max(end - start, 0);
}

/** "started 14:31", "14:38, took 24.1s", "14:21, failed after 19.3s" */
export function describeTime(build: Build, now: number): string {
  const start = timeOf(build.started_at) ?? timeOf(build.created_at);
  if (start === null) return "";
  const isToday = new Date(start).toDateString() === new Date(now).toDateString();
  const at = isToday ? formatClock(start) : formatDateTime(start);
  const took = tookOf(build);
  if (!isOver(build)) return build.state === "queued" ? `queued ${at}` : `started ${at}`;
  if (took === null) return `${at}, ${build.state} before it started`;
  const word = { failed: "failed after", canceled: "canceled after" }[build.state] ?? "took";
  return `${at}, ${word} ${formatTook(took)}`;
}

/** Why a queued build is waiting. */
export const describeWait = ({ waits_for: wait }: Pick<Build, "waits_for">): string =>
  WAITS.get(wait) ?? "waiting for a builder";

const WAITS = new Map([
  ["client", "waiting for its client"],
  ["builder", "waiting for a builder"],
  ["place", "waiting for a free slot on its builder"],
]);

/** One cell per step, from a list's counts: cached, done, not done. */
export function cellsOf({ state, steps_total, steps_cached, steps_done }: Build): ChannelPart[] {
  const total = atMost(steps_total, MAX_CELLS);
  const cached = atMost(steps_cached, total);
  const ended = state === "succeeded" ? total : Math.max(atMost(steps_done, total), cached);
  // The last ended step of a failed build is the failed one.
  const failed = state === "failed" ? 1 : 0;
  const running = state === "running" && ended < total ? 1 : 0;
  const worked = Math.max(ended - cached - failed, 0);
  const parts: [ChannelPart, number][] = [
    ["cached", cached],
    ["worked", worked],
    ["failed", failed],
    ["running", running],
    ["waiting", total - cached - worked - failed - running],
  ];
  return parts.flatMap(([part, count]) => Array.from({ length: Math.max(count, 0) }, () => part));
}

const atMost = (count: number, most: number) => Math.min(Math.max(count, 0), most);

/** A channel joins that many cells anyway. */
const MAX_CELLS = 2_000;

/** `6/25` */
export const countCached = ({ steps_cached, steps_total }: Build) =>
  steps_total > 0 ? `${steps_cached}/${steps_total}` : "";

/** Quotes words that a shell would interpret. */
const quote = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The values of secrets are unknown here, and must be entered again. */
const isMasked = (value: string) => /^\*+$/.test(value);

/** Repeats the build, from the directory that it was built from. */
export function buildAgainCommand({ platforms, inputs, image, save_tags }: Build): string {
  const { target = "", dockerfile = "", arguments: args = {} } = inputs ?? {};
  const words = [
    "millrace build",
    platforms.length > 0 && `--platform ${quote(platforms.join(","))}`,
    target && `--target ${quote(target)}`,
    dockerfile && dockerfile !== "Dockerfile" && `--file ${quote(dockerfile)}`,
    ...Object.entries(args).map(
      ([name, value]) => `--build-arg ${isMasked(value) ? quote(name) : quote(`${name}=${value}`)}`,
    ),
    ...save_tags.map((tag) => `--save-tag ${quote(tag)}`),
    image && save_tags.length === 0 && "--save",
    ".",
  ];
  // Control characters in foreign texts would command a terminal, or change the text direction in a page. The rest is quoted.
  return words
    .filter(Boolean)
    .join(" ")
    .replaceAll(/[^\n\t]+/g, showInvisible);
}
