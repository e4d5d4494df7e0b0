import { afterEach, beforeEach } from "vitest";

/** Seconds of each step of an installation, for people to read: no test has a limit on them. */
export interface Clock {
  step: <T>(name: string, work: () => Promise<T>) => Promise<T>;
  print: () => void;
}

export function startClock(installation: string): Clock {
  const lines: string[] = [];
  const begun = performance.now();
  const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`.padStart(9);
  return {
    async step(name, work) {
      const since = performance.now();
      let mark = " FAILED";
      try {
        const result = await work();
        mark = "";
        return result;
      } finally {
        lines.push(`${seconds(since)}  ${name}${mark}`);
      }
    },
    print: () => console.log([`${installation}:`, ...lines, `${seconds(begun)}  all`].join("\n")),
  };
}

/** Each test continues where the previous one ended. */
export function inOrder(): void {
  let hasFailed = false;
  beforeEach(({ skip }) => skip(hasFailed, "what comes before has failed"));
  afterEach(({ task }) => {
    hasFailed ||= task.result?.state === "fail";
  });
}
