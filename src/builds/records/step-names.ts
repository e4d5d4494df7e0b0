/** Parses a step's name: `[linux/arm64 build 2/5] RUN make` is the second of five steps of the stage `build`. */
import { createHash } from "node:crypto";

/** The part in brackets, and the instruction after it. */
const FORM = /^\[([^\][]{0,300})\] ?(.*)$/s;
const PLATFORM = /^linux\/[a-z0-9]+(?:\/v\d)?$/;
const PLACE = /^\d+\/\d+$/;

export interface StepName {
  /** True for an instruction of the Dockerfile, false for BuildKit's own steps. */
  isInstruction: boolean;
  /** "": not stated. */
  platform: string;
  stage: string;
  instruction: string;
}

export function readStepName(name: string): StepName {
  const [, brackets = "", rest] = FORM.exec(name) ?? [];
  if (rest === undefined) return { isInstruction: false, platform: "", stage: "", instruction: name };
  const words = brackets.split(" ").filter((word) => word !== "");
  const isInstruction = PLACE.test(words.at(-1) ?? "");
  if (isInstruction) words.pop();
  const platform = PLATFORM.test(words[0] ?? "") ? (words.shift() ?? "") : "";
  return { isInstruction, platform, stage: words.join(" "), instruction: rest };
}

/** The same for the same instruction in the same stage, whatever its position. */
export function stepKey(platform: string, name: string): string {
  const { stage, instruction } = readStepName(name);
  return createHash("sha256")
    .update(JSON.stringify([platform, stage, instruction]))
    .digest("base64url");
}
