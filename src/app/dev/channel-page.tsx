import { Lane, type LaneProps } from "../ui/lane/lane.tsx";
import { type ChannelPart, FillChannel, ShareChannel, StepsChannel } from "../ui/channel/channel.tsx";

const repeat = (part: ChannelPart, count: number) => Array.from({ length: count }, () => part);

const STEPS: readonly (readonly [string, readonly ChannelPart[]])[] = [
  ["25 steps, 15 cached", [...repeat("cached", 15), ...repeat("worked", 10)]],
  ["the same again", [...repeat("cached", 15), ...repeat("worked", 10)]],
  [
    "20 of 25, running",
    [...repeat("cached", 6), ...repeat("worked", 13), "running", ...repeat("waiting", 5)],
  ],
  ["7 of 9, failed", [...repeat("cached", 4), ...repeat("worked", 2), "failed", "waiting"]],
  ["no step is known yet", []],
  ["400 steps, one failed", [...repeat("cached", 390), "failed", ...repeat("worked", 9)]],
];

/** A fixed moment. */
const NOW = 1_795_305_600_000;

const LANES: readonly LaneProps[] = [
  {
    to: "#web",
    icon: "container",
    name: "web",
    about: "Add express checkout to the basket",
    startedAt: NOW - 33_400,
    usual: 52_000,
    cached: 2_000,
  },
  {
    to: "#ci",
    icon: "workflow",
    name: "ci / test",
    about: "acme/api",
    startedAt: NOW - 138_000,
    usual: 170_000,
  },
  { to: "#over", icon: "workflow", name: "over its time", startedAt: NOW - 300_000, usual: 170_000 },
  { to: "#new", icon: "bot", name: "nightly-deps", about: "by ada", startedAt: NOW - 846_000, usual: null },
  {
    to: "#api",
    icon: "container",
    name: "api",
    about: "Bump pgx to 5.8",
    startedAt: null,
    usual: null,
    waitsFor: "waiting for a builder",
  },
  {
    to: "#hostile",
    icon: "container",
    name: `<img src=x onerror="document.title='pwned'">`,
    about: `\u202Eevil\u202C مهندس ${"W".repeat(200)}`,
    startedAt: NOW - 1_000,
    usual: 1,
  },
];

export function ChannelPage() {
  return (
    <>
      <h1>Channel and lane</h1>
      <section className="section" aria-label="Steps">
        <h2>Steps</h2>
        {STEPS.map(([label, steps]) => (
          <p key={label} className="row gap12">
            <StepsChannel steps={steps} /> {label}
          </p>
        ))}
      </section>
      <section className="section" aria-label="Share and fill">
        <h2>Share and fill</h2>
        <p>96.2 % from the cache</p>
        <ShareChannel
          parts={[
            { part: "cached", size: 96.2 },
            { part: "worked", size: 3.8 },
          ]}
        />
        <p>Nothing yet</p>
        <ShareChannel parts={[]} isThin />
        <p>122.8 GB of 200 GB</p>
        <FillChannel used={122.8} limit={200} part="cached" />
        <p>More than the limit</p>
        <FillChannel used={12} limit={10} isThin />
      </section>
      <section className="section" aria-label="Running now">
        <h2>Running now</h2>
        <div className="lanes">
          {LANES.map((lane) => (
            <Lane key={lane.to} {...lane} stoppedAt={NOW} />
          ))}
        </div>
      </section>
    </>
  );
}
