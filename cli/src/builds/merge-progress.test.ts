/**
 * Several runs of buildx as one progress.
 * 1. As lines, a step that several targets share is printed once, with its output, its transfers and how it ended.
 * 2. On a terminal, ended steps stay above, each once; running steps are below, with the last lines of their output.
 *    Errors are shown whole.
 * 3. Whatever size the terminal has or gets, it breaks no line and no old line remains: 500 steps on terminals of
 *    all widths show each step once.
 * 4. Where more steps run than there are rows, the rest is counted.
 * 5. Colors can be off; the output of steps never moves the cursor.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeProgress, type ProgressView, type TakeLine } from "./merge-progress.ts";
import { plainView } from "./plain-view.ts";
import { terminalView } from "./terminal-view.ts";

const BEGIN = Date.parse("2026-11-23T10:00:00Z");
const at = (seconds: number) => new Date(BEGIN + seconds * 1000).toISOString();
const started = at(0);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const sendTo = (take: TakeLine) => (target: string, status: object) => take(target, JSON.stringify(status));

test("1. lines", () => {
  let shown = "";
  const take = mergeProgress(plainView((text) => (shown += text)));
  const send = sendTo(take);
  const copy = { digest: "1", name: "[base 1/2] COPY a", started };
  const make = { digest: "2", name: "[web 2/2] RUN make", started };
  send("api", { vertexes: [copy] });
  send("api", {
    statuses: [
      { id: "transferring a:", vertex: "1", current: 3_145_728, timestamp: started, completed: started },
    ],
  });
  send("web", { vertexes: [{ ...copy, completed: started, cached: true }] });
  send("web", { vertexes: [make] });
  send("web", { logs: [{ vertex: "2", data: base64("hello\nwor"), timestamp: at(1.5) }] });
  send("web", { vertexes: [{ ...make, completed: at(2), error: "exit code: 1" }] });
  take("web", "ERROR: failed to solve");
  expect(shown).toBe(
    [
      "#1 [api base 1/2] COPY a",
      "#1 transferring a: 3.1 MB done",
      "#1 CACHED",
      "",
      "#2 [web 2/2] RUN make",
      "#2 1.500 hello",
      "#2 2.000 wor",
      "#2 ERROR: exit code: 1",
      "",
      "web: ERROR: failed to solve",
      "",
    ].join("\n"),
  );
});

// oxlint-disable-next-line no-control-regex
const WRITTEN = /\u001b\[(\d*)([A-Zm])|\r|\n|[^\u001b\r\n]+/g;
// oxlint-disable-next-line no-control-regex
const COMMAND = /^\u001b\[(\d*)([A-Zm])$/;

/** The text on a terminal of that size, scrollback included. Lines are rewrapped when it gets narrower, as on most terminals. */
function openScreen(columns: number, rows: number) {
  let size = { columns, rows };
  /** Split at the line breaks that a program wrote. */
  let lines: string[] = [""];
  let broken = 0;
  const heightOf = (line: string) => Math.max(1, Math.ceil(line.length / size.columns));
  const write = (text: string) => {
    for (const [part] of text.matchAll(WRITTEN)) {
      const [, count = "", command = ""] = COMMAND.exec(part) ?? [];
      if (command === "A") {
        // The cursor moves up over whole lines from the first column of an empty last line.
        expect(lines.at(-1)).toBe("");
        for (let up = Number(count); up > 0;) {
          lines.pop();
          up -= heightOf(lines.at(-1) ?? "");
          expect(up).toBeGreaterThanOrEqual(0);
        }
      } else if (command === "J") lines[lines.length - 1] = "";
      else if (part === "\n") lines.push("");
      else if (part !== "\r" && command === "") {
        lines[lines.length - 1] += part;
        if ((lines.at(-1) ?? "").length > size.columns) broken += 1;
      }
    }
  };
  return {
    write,
    size: () => size,
    resize: (next: { columns: number; rows: number }) => (size = next),
    text: () => lines.join("\n"),
    lines: () => lines.slice(0, -1),
    broken: () => broken,
  };
}

interface Stage {
  columns?: number;
  rows?: number;
  hasColors?: boolean;
}

function openStage({ columns = 60, rows = 24, hasColors = false }: Stage = {}) {
  const screen = openScreen(columns, rows);
  let now = 0;
  const view = terminalView({ ...screen, hasColors, now: () => now });
  const take = mergeProgress(view satisfies ProgressView);
  return { screen, view, take, send: sendTo(take), wait: (ms: number) => (now += ms) };
}

test("2. a terminal", () => {
  const { screen, view, take, send, wait } = openStage();
  const step = (digest: string, name: string, more = {}) => ({
    vertexes: [{ digest, name, started, ...more }],
  });
  send("api", step("1", "[base 1/2] FROM base", { completed: started, cached: true }));
  send("api", step("2", "[api 2/2] RUN npm ci"));
  send("web", step("3", "[web 2/3] RUN make"));
  wait(1200);
  send("api", { logs: [{ vertex: "2", data: base64("1\n2\n3\n4\n5\n6\n"), timestamp: at(1) }] });
  view.draw();
  const running = [
    " => CACHED [api base 1/2] FROM base                    0.0s",
    "[+] Building 1.2s (1/3)",
    " => [api 2/2] RUN npm ci                               1.2s",
    " => => # 3",
    " => => # 4",
    " => => # 5",
    " => => # 6",
    " => [web 2/3] RUN make                                 1.2s",
    "",
  ];
  expect(screen.text()).toBe(running.join("\n"));
  send("api", step("2", "[api 2/2] RUN npm ci", { completed: at(4), error: "exit code: 1" }));
  send("web", step("3", "[web 2/3] RUN make", { completed: at(5), error: "context canceled" }));
  take("api", `ERROR: failed to build: ${"why ".repeat(20)}end`);
  view.end();
  expect(screen.lines()).toEqual([
    running[0],
    " => ERROR [api 2/2] RUN npm ci                         4.0s",
    ...["1", "2", "3", "4", "5", "6"].map((line) => ` => => # ${line}`),
    " => => exit code: 1",
    " => CANCELED [web 2/3] RUN make                        5.0s",
    `api: ERROR: failed to build: ${"why ".repeat(20)}end`,
  ]);
});

test("3. every size", () => {
  const size = fc.record({
    columns: fc.integer({ min: 4, max: 130 }),
    rows: fc.integer({ min: 3, max: 60 }),
  });
  fc.assert(
    fc.property(size, fc.array(fc.tuple(fc.nat(499), size), { maxLength: 6 }), (first, resizes) => {
      const { screen, view, send } = openStage(first);
      for (let number = 0; number < 500; number++) {
        const vertex = {
          digest: `${number}`,
          name: `[s 1/1] ${number}. RUN ${"make ".repeat(number % 40)}`,
          started,
        };
        send("s", { vertexes: [vertex] });
        send("s", {
          logs: [{ vertex: vertex.digest, data: base64(`${"x".repeat(number)}\n`), timestamp: started }],
        });
        if (number >= 5) {
          const ended = { ...vertex, digest: `${number - 5}`, completed: at(1) };
          send("s", { vertexes: [ended] });
        }
        const resize = resizes.find(([when]) => when === number);
        if (resize) screen.resize(resize[1]);
        if (number % 3 === 0 || resize) view.draw();
      }
      view.end();
      expect(screen.lines()).toHaveLength(495);
      for (const [number, line] of screen.lines().entries())
        expect(Number(/\] (\d+)\./.exec(line)?.[1] ?? number)).toBe(number);
      expect(screen.broken()).toBe(0);
    }),
    { numRuns: 12 },
  );
});

test("4. more than fits", () => {
  const { screen, view, send } = openStage({ rows: 8 });
  for (let number = 1; number <= 500; number++)
    send("s", { vertexes: [{ digest: `${number}`, name: `[s ${number}/500] RUN make`, started }] });
  view.draw();
  const lines = screen.lines();
  expect(lines).toHaveLength(6);
  expect(lines[0]).toBe("[+] Building 0.0s (0/500)");
  expect(lines.at(-1)).toBe(" => … and 496 more");
});

test("5. colors and cursors", () => {
  const run = (hasColors: boolean) => {
    let written = "";
    const view = terminalView({
      write: (text) => (written += text),
      size: () => ({ columns: 60, rows: 24 }),
      hasColors,
      now: () => 0,
    });
    const send = sendTo(mergeProgress(view));
    send("s", { vertexes: [{ digest: "1", name: "[s 1/1] RUN\u001b[2J make\u0007", started }] });
    send("s", { logs: [{ vertex: "1", data: base64("50 %\r100 %\u001b[9A\n"), timestamp: started }] });
    view.draw();
    view.end();
    return written;
  };
  // oxlint-disable-next-line no-control-regex
  const escapes = (text: string) => new Set(text.match(/\u001b\[\d*./g));
  expect(escapes(run(false))).toEqual(new Set(["\u001b[3A", "\u001b[J"]));
  expect(escapes(run(true)).has("\u001b[1m")).toBe(true);
  expect(run(false)).toContain(" => => # 100 %\n");
});
