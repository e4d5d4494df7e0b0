/** Every limit of an answer, for readers and for the model. */

/** UTF-16 units of a question; the longest question of a reader that we have seen has 140. */
export const MAX_QUESTION_LENGTH = 300;
/** Bytes of a request: the question, and its JSON. */
export const MAX_BODY_BYTES = 4 * 1024;
export const BODY_MS = 10_000;

/** Hits among which the passages are found: several hits can be in one section. */
export const MAX_HITS = 24;
export const MAX_PASSAGES = 8;
/** UTF-16 units of a passage. All eight are about 5,000 tokens. */
export const MAX_PASSAGE_LENGTH = 2_400;
/** Nearest pages in the answer "I do not know". */
export const MAX_NEAREST = 3;

/** Answers that are written at the same time, by this server and for one network. */
export const MAX_RUNNING = 8;
export const MAX_RUNNING_PER_NETWORK = 4;
export const RUNNING_RETRY_SECONDS = 10;
/** For a whole answer, from the request to the model to its last byte. */
export const DEADLINE_MS = 60_000;
/** A stream that is silent for longer would be cut by proxies, and by this server after 30 seconds. */
export const KEEP_ALIVE_MS = 10_000;

/** Bytes that are read from the model: about 250 for each token, also for those of its reasoning. */
export const MAX_MODEL_BYTES = 4 * 1024 * 1024;
/** Bytes of a failed request's body, from which its code is read. */
export const MAX_REFUSAL_BYTES = 16 * 1024;
/** UTF-16 units of the model's text, including sentences that are not said. */
export const MAX_ANSWER_LENGTH = 8_000;
export const MAX_SENTENCES = 12;
/** UTF-16 units of one sentence; a longer one is not said. */
export const MAX_SENTENCE_LENGTH = 500;
/** Tokens that a model writes at most; Anthropic's protocol requires a figure. */
export const MAX_TOKENS = 1_024;

/** Tokens that the model may take in a day, unless the operator sets another number: about 350 answers. */
export const TOKENS_PER_DAY = 2_000_000;
/** Held for an answer until its end: the longest prompt, and what Anthropic's protocol lets it write. */
export const RESERVED_TOKENS = 7_000;
/** UTF-16 units of one token of English, for servers that report none. */
export const TOKEN_LENGTH = 4;
