import type { Metrics } from "#platform/metrics/metrics.ts";
import type { AnswerCount } from "./answer-question.ts";
import type { Unsaid } from "./sentences/check-sentence.ts";

/**
 * How an answer ended. `answered`: at least one sentence was said; `unknown`: none; `refused`: before the model was asked;
 * `left`: its reader left.
 */
export type Outcome = "answered" | "unknown" | "refused" | "failed" | "left";

/** Sums since the start; nothing of a question or an answer. */
export interface AnswerFigures extends AnswerCount {
  outcome: (outcome: Outcome, ms?: number) => void;
  sentence: () => void;
  registerMetrics: (metrics: Metrics) => void;
}

export function createFigures(running: () => number, tokensLeft: () => number): AnswerFigures {
  const outcomes = new Map<Outcome, number>(
    (["answered", "unknown", "refused", "failed", "left"] as const).map((outcome) => [outcome, 0]),
  );
  const sentences = new Map<"said" | Unsaid, number>([["said", 0]]);
  const tokens = { input: 0, output: 0 };
  let seconds = 0;
  let isModelUp = true;
  const add = <Key>(sums: Map<Key, number>, key: Key) => void sums.set(key, (sums.get(key) ?? 0) + 1);
  return {
    outcome(outcome, ms = 0) {
      add(outcomes, outcome);
      if (outcome !== "refused" && outcome !== "left") isModelUp = outcome !== "failed";
      seconds += ms / 1000;
    },
    sentence: () => add(sentences, "said"),
    unsaid: (why) => add(sentences, why),
    tokens({ input, output }) {
      tokens.input += input;
      tokens.output += output;
    },
    registerMetrics({ gauge, total }) {
      gauge("answers_running", "Answers that a model is writing.", running);
      gauge("answers_model_up", "1 unless the last answer failed.", () => Number(isModelUp));
      gauge("answers_tokens_left", "Tokens that the model may still take today.", tokensLeft);
      total({
        name: "answers_total",
        help: "Questions by how their answers ended: answered, unknown, refused, failed, left.",
        label: "outcome",
        read: () => outcomes,
      });
      total({
        name: "answers_sentences_total",
        help: "Sentences of the model: said, or why they were left out.",
        label: "what",
        read: () => sentences,
      });
      total({
        name: "answers_tokens_total",
        help: "Tokens as the model's server reports them, or estimated if it reports none.",
        label: "direction",
        read: () => Object.entries(tokens),
      });
      total({
        name: "answers_seconds_total",
        help: "Seconds from questions to the ends of their answers.",
        label: "what",
        read: () => [["answers", seconds]],
      });
    },
  };
}
