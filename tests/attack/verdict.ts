/** The outcome of an attack: one that could not be tried has not held. */

/** A missing requirement: root's rights, Linux, or something that must be downloaded first. */
export type Lack = "root" | "linux" | "download";

export interface NotTried {
  name: string;
  reason: string;
  lacks: Lack;
}

export interface Outcome {
  problems: readonly string[];
  notTried: readonly NotTried[];
}

export interface Machine {
  isCi: boolean;
  /** Root on Linux. */
  isRoot: boolean;
}

export interface Verdict {
  /** "not tried": in whole or in part. */
  word: "held" | "not tried" | "FAILED";
  problems: string[];
}

const thisMachine = (): Machine => ({
  isCi: process.env["CI"] === "true",
  isRoot: process.platform === "linux" && process.getuid?.() === 0,
});

/** Under CI, root on Linux can try everything that takes root's rights: an attack that was left out fails there. */
export function judge({ problems, notTried }: Outcome, { isCi, isRoot } = thisMachine()): Verdict {
  const owed = notTried
    .filter(({ lacks }) => lacks === "root" && isCi && isRoot)
    .map(({ name, reason }) => `${name} was not tried, and CI runs as root here: ${reason}`);
  const all = [...problems, ...owed];
  return { word: all.length > 0 ? "FAILED" : notTried.length > 0 ? "not tried" : "held", problems: all };
}

export interface Counts {
  passed: number;
  failed: number;
  /** By their labels. */
  notTried: string[];
}

export function countVerdicts(verdicts: readonly { label: string; word: Verdict["word"] }[]): Counts {
  const of = (word: Verdict["word"]) => verdicts.filter((verdict) => verdict.word === word);
  return {
    passed: of("held").length,
    failed: of("FAILED").length,
    notTried: of("not tried").map(({ label }) => label),
  };
}
