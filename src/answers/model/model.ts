/** A model, independent of its protocol. */

export interface Prompt {
  /** The rules; nothing of the reader's. */
  system: string;
  /** The passages and the question. */
  user: string;
}

/** Something that a model sends. */
export type ModelPart =
  | { kind: "text"; text: string }
  /** Tokens used so far; each report replaces earlier ones. */
  | { kind: "tokens"; input?: number | undefined; output?: number | undefined }
  /** The model has finished. `isCut`: in the middle, because its own limit was reached. */
  | { kind: "end"; isCut: boolean };

export interface Model {
  /** For readers. */
  name: string;
  /** Where it is, for readers: a name or an address, without the port. */
  host: string;
  /** @throws ModelError, or the signal's reason */
  write: (prompt: Prompt, signal: AbortSignal) => AsyncIterable<ModelPart>;
}

/** A protocol of models: what is sent, and what one event of the answer means. */
export interface ModelProtocol {
  /** Below the base address. */
  path: string;
  headers: (key: string | undefined) => Record<string, string>;
  body: (model: string, prompt: Prompt) => object;
  /** @throws ModelError when the event reports a failure @returns null for an event that is not in the protocol's form */
  read: (data: string) => ModelPart[] | null;
}

/** Why there is no answer, or no complete one. */
export type ModelProblem =
  | "key"
  | "busy"
  | "not found"
  | "refused"
  | "redirect"
  | "failed"
  | "unreachable"
  | "timeout"
  | "not a stream"
  | "garbage"
  | "too long"
  | "cut";

/** @see operatorLine, readerWords */
export class ModelError extends Error {
  readonly problem: ModelProblem;
  /** A status or a code of the model's server, never its words: they can repeat the question or the key. */
  readonly detail: string;
  constructor(problem: ModelProblem, detail = "", options?: ErrorOptions) {
    super(detail === "" ? problem : `${problem} (${detail})`, options);
    this.name = "ModelError";
    this.problem = problem;
    this.detail = detail;
  }
}

const OPERATOR: { [problem in ModelProblem]: string } = {
  key: "it rejected the key: check ANSWERS_API_KEY",
  busy: "it has too many requests, or its quota is used up",
  "not found":
    "it knows no such address or model: check ANSWERS_URL, which ends with the version, ANSWERS_API and ANSWERS_MODEL",
  refused: "it rejected the request: check ANSWERS_API and ANSWERS_MODEL",
  redirect: "it redirects, which the server does not follow: set ANSWERS_URL to the final address",
  failed: "it failed",
  unreachable: "it cannot be reached: check ANSWERS_URL",
  timeout: "it did not finish in time",
  "not a stream": "it did not send an event stream: check ANSWERS_URL and ANSWERS_API",
  garbage: "its stream is not in the form of the protocol: check ANSWERS_API",
  "too long": "it sent more than the server reads",
  cut: "its stream ended in the middle",
};

/** For the log: what is wrong, and what to do. */
export function operatorLine({ problem, detail }: ModelError): string {
  return `The model did not answer: ${OPERATOR[problem]}${detail === "" ? "" : ` (${detail})`}.`;
}

/** For the reader, who cannot fix it. */
export function readerWords({ problem }: ModelError): string {
  if (problem === "busy") return "The model has too many requests at the moment. Try again in a minute.";
  if (problem === "timeout") return "The model did not finish in time. Try again, or search.";
  if (problem === "cut" || problem === "too long") return "The model stopped in the middle of the answer.";
  return "The model cannot answer at the moment. Search works as usual.";
}
