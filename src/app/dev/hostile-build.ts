/** Hostile output that other people's files can cause in a builder. */
import type { Recording } from "./player.ts";

const E = "\u001B";
const MARKUP = `<img src=x onerror="document.title='pwned'"><b>Bold</b>`;
const LONG = "W".repeat(400);

const TITLES = [
  `[linux/amd64 build 1/4] RUN echo ${MARKUP}`,
  `[linux/amd64 \u202Egnp.exe 2/4] RUN \u202Eevil\u202C مهندس`,
  `[linux/amd64 ${LONG} 3/4] RUN ${LONG}`,
  "[linux/riscv64 build 1/1]  RUN   ",
  "] [",
  "",
  "exporting to image",
];

const LINES = [
  MARKUP,
  `${E}]0;title${E}\\${E}]8;;javascript:alert(1)${E}\\link${E}]8;;${E}\\`,
  `${E}[31mred that never ends`,
  `still ${E}[999;999;999mred ${E}[${"1;".repeat(200)}m`,
  `${E}[2J${E}[1;1H${E}cno screen is cleared`,
  "\u202Ereversed\u202C and \u0000 and \u0007 and \u009B",
  "10 %\r50 %\r100 %",
  "x".repeat(1_000_000),
  "漢字 مهندس 👩‍👩‍👧‍👦",
];

const vertexes = TITLES.map((name, index) => ({
  digest: `hostile-${index}`,
  name,
  // A circle, and steps that no message names.
  inputs: [`hostile-${(index + 1) % TITLES.length}`, "nobody"],
}));

export const hostile: Recording = {
  id: "bld_hostile",
  events: [
    { at: 0, status: { vertexes } },
    // Times that go backwards, and one that never ends.
    {
      at: 1,
      status: {
        vertexes: vertexes.slice(0, 4).map((vertex, index) => ({ ...vertex, started: 4000 - index * 900 })),
      },
    },
    {
      at: 2,
      status: {
        vertexes: vertexes.slice(0, 1).map((vertex) => ({ ...vertex, started: 3000, completed: 10 })),
      },
    },
    {
      at: 3,
      status: { logs: LINES.map((text) => ({ vertex: "hostile-1", text: `${text}\n`, timestamp: -1 })) },
    },
    {
      at: 4,
      status: {
        vertexes: vertexes
          .slice(2, 3)
          .map((vertex) => ({ ...vertex, started: 100, completed: 4500, error: `${MARKUP}\n${LONG}` })),
      },
    },
  ],
};
