/** Every cap of builds. The limits that the documentation lists under `Builds` are here or in the environment. */

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Unfinished builds of one project. */
export const MAX_OPEN_BUILDS = 500;
/** Unfinished builds of one organization. */
export const MAX_OPEN_BUILDS_OF_ORGANIZATION = 2000;

/** For one build when it is registered. */
export const MAX_LABELS = 32;
export const MAX_LABEL_NAME_LENGTH = 64;
export const MAX_LABEL_LENGTH = 1024;
export const MAX_SAVE_TAGS = 20;
/** Characters of a branch, a commit, a client's error, a search text. */
export const MAX_BRANCH_LENGTH = 250;
export const MAX_COMMIT_LENGTH = 64;
export const MAX_ERROR_LENGTH = 4 * KIBIBYTE;
export const MAX_QUERY_LENGTH = 200;

/** Milliseconds for which a place in the queue is kept after its client last asked. */
export const ASKED_LATELY_MS = MINUTE_MS;
/** A builder that is not open this long after its place was granted is waiting for others, or starts slowly. */
export const STALLED_MS = 30 * SECOND_MS;
/** Between two checks for changes from other servers: places that they granted, ends of builds. */
export const LOOK_FOR_PLACES_MS = SECOND_MS / 2;
/** Between two checks for answers from other servers. */
export const LOOK_FOR_ANSWERS_MS = SECOND_MS / 10;
/** For other servers to report the size of their layer caches, and to empty them, within the timeout of a call. */
export const USAGE_ASK_MS = 3 * SECOND_MS;
/** For a report to wait for the sizes of layer caches; those that take longer are in a later report. */
export const REPORT_WAIT_MS = 2 * SECOND_MS;
export const RESET_ASK_MS = 20 * SECOND_MS;
/** Longer than any client waits for an answer; by then, it has asked again. */
export const MAX_ASK_MS = 5 * MINUTE_MS;
/** Calls that wait for one place at a time: a client asks again when its call has ended, so the oldest call is ended. */
export const MAX_ASKS_OF_PLACE = 4;
/** Builds in one query to the database. */
export const ASKED_AT_ONCE = 500;
/** A build is canceled if no client asks for a builder in this time. */
export const ABANDONED_MS = 10 * MINUTE_MS;
/** A running build is canceled after this time without a connection to its builder. */
export const CLIENT_GONE_MS = 45 * SECOND_MS;
/** How long the end of a build waits for the last messages of `buildkitd` about it. */
export const SETTLE_MS = 5 * SECOND_MS;

/** Solves of one build, including retries by its client. */
export const MAX_REFS = 200;
/** Requests of clients to frontends within the solves of one build: buildx sends one for each target. */
export const MAX_FRONTENDS = 1000;
/** Masked build arguments of one build: lines, and total characters. */
export const MAX_SECRETS = 1000;
export const MAX_SECRETS_LENGTH = 256 * KIBIBYTE;
/** Secrets that the builds of a project mount at the same time: total bytes, and search patterns. */
export const MAX_MOUNTED_LENGTH = 4 * MEBIBYTE;
export const MAX_MOUNTED_PATTERNS = 200_000;
/** Recorded steps of one build. */
export const MAX_STEPS = 5000;
/** Steps of a build in one message of a stream; a slow reader holds one message. */
export const MAX_STEPS_PER_MESSAGE = 100;
/** Stored inputs of a step, warnings and attestations of a build. */
export const MAX_INPUTS = 100;
export const MAX_WARNINGS = 200;
export const MAX_ATTESTATIONS = 100;
/** Characters of a step's name, and of each text of a warning. */
export const MAX_NAME_LENGTH = 2 * KIBIBYTE;
export const MAX_WARNING_LENGTH = 2 * KIBIBYTE;
/** Total for names, errors and inputs of all steps: a build is sent whole. Beyond it, each text is short. */
export const MAX_STEPS_LENGTH = 4 * MEBIBYTE;
export const SHORT_TEXT_LENGTH = 200;
export const FEW_INPUTS = 4;
/** Total for all warnings of a build, before the last one: a list reads those of a hundred builds. */
export const MAX_WARNINGS_LENGTH = 128 * KIBIBYTE;
/** Bytes of `buildkitd`'s error details, lines kept of the file that it names, and characters of each line. */
export const MAX_FAILURE_BYTES = 4 * MEBIBYTE;
export const MAX_SOURCE_LINES = 24;
export const MAX_SOURCE_LINE_LENGTH = 400;
/** Stored build arguments and named contexts, and characters of each. */
export const MAX_ARGUMENTS = 200;
export const MAX_ARGUMENT_LENGTH = KIBIBYTE;
/** Total for all arguments, and for all named contexts, with their names. */
export const MAX_ARGUMENTS_LENGTH = 64 * KIBIBYTE;

/** Builds before a failed one, and steps of all of them, that are searched for failures of the same step. */
export const FAILURES_READ_BUILDS = 50;
export const FAILURES_READ_STEPS = 20_000;

/** Simultaneous explanations of steps, each of at most half a second: in total, and per organization. */
export const MAX_EXPLANATIONS = 64;
export const MAX_EXPLANATIONS_PER_ORGANIZATION = 16;

/** Newest builds of a project whose files are kept: older ones are not compared with. */
export const FILES_KEPT_BUILDS = 40;
/** Earlier builds that provide the checksums of files that a builder did not request again. */
export const FILES_READ_BUILDS = 2;
/** For one build, uncompressed: 20,000 files with their names. */
export const MAX_FILES_BYTES = 16 * MEBIBYTE;

/** Characters of one line of a log; the rest of the line is left out. */
export const MAX_LINE_LENGTH = 16 * KIBIBYTE;
/** Characters of the whole log of a build, uncompressed. */
export const MAX_LOG_LENGTH = 256 * MEBIBYTE;
/** Lines of the log: empty lines also cost. */
export const MAX_LOG_LINES = 10_000_000;
/** Characters and lines of one row of the log, before compression. */
export const MAX_BLOCK_LENGTH = 256 * KIBIBYTE;
export const MAX_BLOCK_LINES = 2000;
/** Lines waiting to be written; beyond that, `buildkitd` waits. */
export const MAX_PENDING_LINES = 20_000;
/** Between two writes of a running build's changes. */
export const FLUSH_MS = 100;

/** Bytes of compressed blocks that a slow reader holds. */
export const MAX_READ_BLOCK_BYTES = 256 * KIBIBYTE;

/** A stream without a line for this long sends a heartbeat; proxies and this server cut silent connections. */
export const HEARTBEAT_MS = 15 * SECOND_MS;
/** Between two checks of a stream for changes to a build that runs on another server. */
export const POLL_MS = SECOND_MS;
/** Images that are listed as untrusted. */
export const MAX_SPOILED_IMAGES = 100;
/** Simultaneous streams of builds: in total, and per token or browser. */
export const MAX_STREAMS = 2000;
/** Streams of one organization. */
export const MAX_STREAMS_PER_ORGANIZATION = MAX_STREAMS / 2;
export const MAX_STREAMS_PER_CALLER = 100;

/** A server that has been silent for this long has lost its builds. */
export const HOLDER_LEASE_MS = 30 * SECOND_MS;
export const HOLDER_RENEW_MS = 10 * SECOND_MS;
/** Between two checks for builds that are over, and for cancellations that another server received. */
export const WATCH_MS = 2 * SECOND_MS;
/** For a builder to report, after a restart, how a build ended that the server ran before. */
export const RECOVER_MS = MINUTE_MS;
/** Builds that other servers ended meanwhile: for as long as a builder remembers them, and only the latest. */
export const CORRECT_MS = 2 * 24 * 60 * MINUTE_MS;
export const MAX_CORRECTED = 50;
/** For all builds of an hour whose builder has kept their unmasked logs. */
export const FORGET_OVERDUE_MS = 5 * MINUTE_MS;
export const SWEEP_EVERY_MS = 60 * MINUTE_MS;
export const SWEEP_LEASE_MS = 5 * MINUTE_MS;
/** Builds that one transaction removes. */
export const SWEEP_PORTION = 50;

export const DEFAULT_CONCURRENCY = 8;
export const DEFAULT_TIMEOUT_MS = 60 * MINUTE_MS;
export const DEFAULT_CONTEXT_BYTES = 10_000_000_000;
export const DEFAULT_RETENTION_MS = 30 * 24 * 60 * MINUTE_MS;
