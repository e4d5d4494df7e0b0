/** Builds of acme in the builder's messages, and recorded builds. */
import type { Recording } from "./player.ts";
import recorded from "./recorded-build.json" with { type: "json" };
import type { VertexLog } from "../ui/timeline/build-model.ts";

/** Title, start and end in seconds, dependencies; cached ones end with "cached". */
type Line = readonly [
  title: string,
  start: number | null,
  end: number | null,
  needs?: readonly number[],
  note?: string,
];

interface Source {
  id: string;
  lines: readonly Line[];
  logs: readonly (readonly [line: number, at: number, text: string])[];
  end?: Recording["end"];
}

function record({ id, lines, logs, end }: Source): Recording {
  const digest = (line: number) => `${id}-${line}`;
  const vertexes = lines.map(([name, , , needs = []], line) => ({
    digest: digest(line),
    name,
    inputs: needs.map(digest),
  }));
  const events: Recording["events"][number][] = [{ at: 0, status: { vertexes } }];
  for (const [line, [, start, stop, , note]] of lines.entries()) {
    const vertex = vertexes[line];
    if (start === null || !vertex) continue;
    const started = start * 1000;
    if (note !== "cached") events.push({ at: started, status: { vertexes: [{ ...vertex, started }] } });
    if (line === 0)
      events.push({
        at: started + 1,
        status: { statuses: [{ vertex: vertex.digest, id: "context", current: 2_100_000 }] },
      });
    if (stop === null) continue;
    const completed = stop * 1000;
    const error = note?.startsWith("process") ? { error: note } : {};
    const done = { ...vertex, started, completed, cached: note === "cached", ...error };
    events.push({ at: completed, status: { vertexes: [done] } });
  }
  for (const [line, at, text] of logs) {
    const log: VertexLog = { vertex: digest(line), text: `${text}\n`, timestamp: at * 1000 };
    events.push({ at: at * 1000, status: { logs: [log] } });
  }
  // The sort is stable: a step's last output stays before its end.
  const sorted = events.sort((one, other) => one.at - other.at || rank(one) - rank(other));
  return { id, events: sorted, ...(end && { end }) };
}

const rank = ({ status }: Recording["events"][number]) => (status.logs ? 0 : 1);

const E = "\u001B";
const onPlatform = (
  platform: string,
  from: number,
  times: readonly (readonly [number | null, number | null, string?])[],
): Line[] => {
  const names: [string, number[]][] = [
    ["base 1/3] FROM docker.io/library/node:24-slim", []],
    ["base 2/3] RUN corepack enable", [from]],
    ["base 3/3] WORKDIR /app", [from + 1]],
    ["deps 1/2] COPY package.json pnpm-lock.yaml ./", [from + 2, 0]],
    ["deps 2/2] RUN pnpm install --frozen-lockfile", [from + 3]],
    ["assets 1/2] COPY design/ design/", [from + 2, 0]],
    ["assets 2/2] RUN node scripts/sprites.mjs", [from + 5]],
    ["build 1/2] COPY . .", [from + 4, 0]],
    ["build 2/2] RUN pnpm build", [from + 7]],
    ["runtime 1/2] COPY --from=build /app/.next/standalone ./", [from + 8]],
    ["runtime 2/2] COPY --from=assets /app/sprites public/", [from + 9, from + 6]],
  ];
  return names.map(([name, needs], index) => {
    const [start = null, end = null, note] = times[index] ?? [];
    const title = `[${platform} ${name}`;
    return note ? [title, start, end, needs, note] : [title, start, end, needs];
  });
};

const cachedAt = (at: number) => [at, at + 0.1, "cached"] as const;

const nextLines = [
  `${E}[2m$${E}[0m next build`,
  `   ${E}[36m▲ Next.js 16.0.3${E}[0m (Turbopack)`,
  "   Creating an optimized production build ...",
  ` ${E}[32m✓${E}[0m Compiled successfully in 9.3s`,
  "   Running TypeScript ...",
  ` ${E}[32m✓${E}[0m Finished TypeScript in 3.4s`,
  "   Collecting page data using 15 workers ...",
  ` ${E}[33m⚠${E}[0m /basket/express: fetch cache entry over 2 MB, not stored`,
  ...[0, 16, 32, 48, 64].map((page) => `   Generating static pages using 15 workers (${page}/64)`),
];

const installLines = (line: number, start: number, end: number) =>
  Array.from({ length: 214 }, (_, index) => {
    const at = start + ((end - start) * index) / 214;
    return [line, at, `Progress: resolved ${index * 7}, reused ${index * 6}, downloaded ${index}`] as const;
  });

/** "Add express checkout to the basket": both platforms work. */
export const running = record({
  id: "bld_v6n2hk8s4d",
  lines: [
    ["[internal] load build context", 0.3, 0.9],
    ...onPlatform("linux/amd64", 1, [
      ...[0.9, 0.95, 1].map(cachedAt),
      ...([
        [1.2, 1.3],
        [1.3, 12.8],
        [1.2, 1.3],
        [1.3, 6.0],
        [13, 13.3],
        [13.5, 31.8],
      ] as const),
      ...([
        [31.9, 32.3],
        [32.3, 32.4],
      ] as const),
    ]),
    ...onPlatform("linux/arm64", 12, [
      ...[0.9, 0.95, 1].map(cachedAt),
      ...([
        [1.1, 1.2],
        [1.2, 15.9],
        [1.1, 1.2],
        [1.2, 7.4],
        [15.9, 16.4],
        [16.4, 44.7],
      ] as const),
      ...([
        [44.7, 45],
        [45, 45.2],
      ] as const),
    ]),
    ["exporting to image", 45.2, 49.4, [11, 22]],
  ],
  logs: [
    ...installLines(16, 1.3, 15.8),
    ...nextLines.map((text, index) => [20, 16.8 + index * 1.4, text] as const),
  ],
  end: { at: 49_400, result: "succeeded" },
});

/** "Round the express total once, after tax": most of it came from the cache. */
export const succeeded = record({
  id: "bld_m4c7wq2x9e",
  lines: [
    ["[internal] load build context", 0.2, 0.5],
    ...onPlatform("linux/amd64", 1, [
      ...[0.5, 0.55, 0.6, 0.65, 0.7, 0.7, 0.75].map(cachedAt),
      ...([
        [0.9, 1.3],
        [1.3, 19.9],
        [19.9, 20.2],
      ] as const),
      cachedAt(20.2),
    ]),
    ...onPlatform("linux/arm64", 12, [
      ...[0.5, 0.55, 0.6, 0.65, 0.7, 0.7, 0.75].map(cachedAt),
      ...([
        [0.9, 1.3],
        [1.3, 18.6],
        [18.6, 18.9],
      ] as const),
      cachedAt(18.9),
    ]),
    ["exporting to image", 20.2, 24.1, [11, 22]],
  ],
  logs: nextLines.map((text, index) => [9, 2 + index, text] as const),
  end: { at: 24_100, result: "succeeded" },
});

/** "Move rounding into the ledger". */
export const failed = record({
  id: "bld_x8d3rj5w1t",
  lines: [
    ["[internal] load build context", 0.2, 0.6],
    ["[base 1/2] FROM docker.io/library/golang:1.26-alpine", 0.6, 0.7, [], "cached"],
    ["[base 2/2] WORKDIR /src", 0.7, 0.8, [1], "cached"],
    ["[deps 1/2] COPY go.mod go.sum ./", 0.8, 0.85, [2, 0], "cached"],
    ["[deps 2/2] RUN go mod download", 0.85, 0.9, [3], "cached"],
    ["[build 1/2] COPY . .", 1, 1.2, [4, 0]],
    [
      "[build 2/2] RUN go build -trimpath -o /out/api ./cmd/api",
      1.2,
      19.3,
      [5],
      'process "/bin/sh -c go build -trimpath -o /out/api ./cmd/api" did not complete: exit code: 1',
    ],
    ["[runtime 1/1] COPY --from=build /out/api /api", null, null, [6]],
  ],
  logs: [
    ...Array.from(
      { length: 60 },
      (_, index) => [6, 1.3 + index * 0.2, `go: building package ${index + 1}`] as const,
    ),
    [6, 15.3, `${E}[2mgocache: 1,822 gets, 1,786 hits, 36 puts${E}[0m`],
    [6, 18.1, "acme.example/api/internal/ledger"],
    [6, 19, `${E}[2m# acme.example/api/internal/checkout${E}[0m`],
    [6, 19, "internal/checkout/express.go:48:17: undefined: ledger.RoundHalfEven"],
    [6, 19.1, "internal/checkout/express.go:61:9: undefined: ledger.RoundHalfEven"],
  ],
  end: { at: 19_300, result: "failed" },
});

/** As builders reported them: durations are measured ones. */
export const fromBuilder: readonly Recording[] = recorded.builds.map(({ id, seconds, events }) => ({
  id,
  events: events.map(({ at, vertex }) => ({ at, status: { vertexes: [vertex] } })),
  end: { at: seconds * 1000, result: "succeeded" },
}));
