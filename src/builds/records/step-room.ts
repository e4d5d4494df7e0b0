import {
  FEW_INPUTS,
  MAX_INPUTS,
  MAX_NAME_LENGTH,
  MAX_STEPS_LENGTH,
  SHORT_TEXT_LENGTH,
} from "../contract/limits.ts";

/** Limits the stored text of one build's steps: everything at first, then the beginning of each text. */
export interface StepRoom {
  text: (text: string, most: number) => string;
  inputs: (ids: readonly string[]) => string[];
}

export function createStepRoom(): StepRoom {
  let left = MAX_STEPS_LENGTH;
  return {
    text(text, most) {
      const kept = text.slice(0, left > 0 ? most : Math.min(most, SHORT_TEXT_LENGTH));
      left -= kept.length;
      return kept;
    },
    inputs(ids) {
      const kept = ids
        .filter(({ length }) => length <= MAX_NAME_LENGTH)
        .slice(0, left > 0 ? MAX_INPUTS : FEW_INPUTS);
      for (const { length } of kept) left -= length;
      return kept;
    },
  };
}
