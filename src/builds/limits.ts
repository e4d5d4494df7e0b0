/** Every cap of the builds. What the documentation calls `Builds` is here or in the environment. */

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/** Builds of one project that have not ended. */
export const MAX_OPEN_BUILDS = 500;
/** The same of one organization. */
export const MAX_OPEN_BUILDS_OF_ORGANIZATION = 2000;

/** Of one build, as it is registered. */
export const MAX_LABELS = 32;
export const MAX_LABEL_NAME_LENGTH = 64;
export const MAX_LABEL_LENGTH = 1024;
export const MAX_SAVE_TAGS = 20;
/** Characters of a branch, a commit, an error of a client, a text to search for. */
export const MAX_BRANCH_LENGTH = 250;
export const MAX_COMMIT_LENGTH = 64;
export const MAX_ERROR_LENGTH = 4 * KIBIBYTE;
export const MAX_QUERY_LENGTH = 200;

/** Milliseconds for which a place in the queue is kept after its client asked last. */
export const ASKED_LATELY_MS = MINUTE_MS;
/** A builder that is not open so long after its place was granted waits for others, or starts slowly. */
export const STALLED_MS = 30 * SECOND_MS;
/** Between two looks for what other servers were told: places that they gave away, ends of builds. */
export const LOOK_FOR_PLACES_MS = SECOND_MS / 2;
/** Between two looks for what other servers have answered. */
export const LOOK_FOR_ANSWERS_MS = SECOND_MS / 10;
/** For other servers to say what their layer caches take; and to empty them, within the time of a call. */
export const USAGE_ASK_MS = 3 * SECOND_MS;
export const RESET_ASK_MS = 20 * SECOND_MS;
/** Longer than any client waits for an answer; then it has asked again. */
export const MAX_ASK_MS = 5 * MINUTE_MS;
/** Asks for one place that wait at one time: a client asks again when its call has ended, and then the oldest is told. */
export const MAX_ASKS_OF_PLACE = 4;
/** Builds that are looked for in one question to the database. */
export const ASKED_AT_ONCE = 500;
/** A build for which nobody asked for a builder in this time is canceled. */
export const ABANDONED_MS = 10 * MINUTE_MS;
/** A running build without a connection to its builder for so long is canceled. */
export const CLIENT_GONE_MS = 45 * SECOND_MS;
/** How long the end of a build waits for what `buildkitd` still has to say about it. */
export const SETTLE_MS = 5 * SECOND_MS;

/** Solves of one build, with those of a client that tries again. */
export const MAX_REFS = 200;
/** What clients ask frontends within the solves of one build: buildx asks once for each target. */
export const MAX_FRONTENDS = 1000;
/** Build arguments that are masked in one build: lines, and characters of all. */
export const MAX_SECRETS = 1000;
export const MAX_SECRETS_LENGTH = 256 * KIBIBYTE;
/** Secrets that the builds of a project mount at one time: bytes of all, and what they are looked for by. */
export const MAX_MOUNTED_LENGTH = 4 * MEBIBYTE;
export const MAX_MOUNTED_PATTERNS = 200_000;
/** Steps that are recorded of one build. */
export const MAX_STEPS = 5000;
/** Steps of a build in one message to who watches it; a slow reader holds one. */
export const MAX_STEPS_PER_MESSAGE = 100;
/** Inputs of a step, warnings and attestations of a build that are kept. */
export const MAX_INPUTS = 100;
export const MAX_WARNINGS = 200;
export const MAX_ATTESTATIONS = 100;
/** Characters of a step's name, and of each text of a warning. */
export const MAX_NAME_LENGTH = 2 * KIBIBYTE;
export const MAX_WARNING_LENGTH = 2 * KIBIBYTE;
/** Of names, errors and inputs of all steps together: a build is told whole. Behind that each of them is short. */
export const MAX_STEPS_LENGTH = 4 * MEBIBYTE;
export const SHORT_TEXT_LENGTH = 200;
export const FEW_INPUTS = 4;
/** Of all warnings of a build together, before the last one: a list reads those of a hundred builds. */
export const MAX_WARNINGS_LENGTH = 128 * KIBIBYTE;
/** Of what `buildkitd` says of an error, the lines that are kept of the file that it names, and characters of each. */
export const MAX_FAILURE_BYTES = 4 * MEBIBYTE;
export const MAX_SOURCE_LINES = 24;
export const MAX_SOURCE_LINE_LENGTH = 400;
/** Build arguments and named contexts that are kept, and characters of each. */
export const MAX_ARGUMENTS = 200;
export const MAX_ARGUMENT_LENGTH = KIBIBYTE;
/** Of all arguments, and of all named contexts, with their names. */
export const MAX_ARGUMENTS_LENGTH = 64 * KIBIBYTE;

/** Builds before a failed one, and steps of all of them, that are searched for failures of the same step. */
export const FAILURES_READ_BUILDS = 50;
export const FAILURES_READ_STEPS = 20_000;

/** Explanations of steps that are asked for at one time: each takes half a second at most. Of all, and of one organization. */
export const MAX_EXPLANATIONS = 64;
export const MAX_EXPLANATIONS_PER_ORGANIZATION = 16;

/** Newest builds of a project whose files are known: of more none is compared with. */
export const FILES_KEPT_BUILDS = 40;
/** Builds before, of which the contents are taken over that a builder did not ask for again. */
export const FILES_READ_BUILDS = 2;
/** Of one build, without their compression: 20,000 files with their names. */
export const MAX_FILES_BYTES = 16 * MEBIBYTE;

/** Characters of one line of a log; the rest of the line is left out. */
export const MAX_LINE_LENGTH = 16 * KIBIBYTE;
/** Characters of the whole log of a build, without its compression. */
export const MAX_LOG_LENGTH = 256 * MEBIBYTE;
/** Lines of it: those without text cost, too. */
export const MAX_LOG_LINES = 10_000_000;
/** Characters and lines of one row of the log, before they are compressed. */
export const MAX_BLOCK_LENGTH = 256 * KIBIBYTE;
export const MAX_BLOCK_LINES = 2000;
/** Lines that wait to be written; then `buildkitd` waits. */
export const MAX_PENDING_LINES = 20_000;
/** Between two writes of what a running build did. */
export const FLUSH_MS = 100;

/** Bytes of blocks, still compressed, that a reader holds who is slow. */
export const MAX_READ_BLOCK_BYTES = 256 * KIBIBYTE;

/** Without a line for so long, a stream says that it is still there; proxies and this server cut what is silent. */
export const HEARTBEAT_MS = 15 * SECOND_MS;
/** Between two looks of a stream at a build that another server runs. */
export const POLL_MS = SECOND_MS;
/** Images that are named of those that cannot be trusted. */
export const MAX_SPOILED_IMAGES = 100;
/** Streams of builds at one time: of all, and of one token or browser. */
export const MAX_STREAMS = 2000;
/** Of these, of one organization. */
export const MAX_STREAMS_PER_ORGANIZATION = MAX_STREAMS / 2;
export const MAX_STREAMS_PER_CALLER = 100;

/** A server that was not heard of for so long has lost its builds. */
export const HOLDER_LEASE_MS = 30 * SECOND_MS;
export const HOLDER_RENEW_MS = 10 * SECOND_MS;
/** Between two looks for builds that are over, and for cancellations that another server took. */
export const WATCH_MS = 2 * SECOND_MS;
/** For a builder to tell, after a restart, how a build ended that the server ran before. */
export const RECOVER_MS = MINUTE_MS;
/** Builds that others have ended meanwhile: as long as a builder remembers, and the latest alone. */
export const CORRECT_MS = 2 * 24 * 60 * MINUTE_MS;
export const MAX_CORRECTED = 50;
export const SWEEP_EVERY_MS = 60 * MINUTE_MS;
export const SWEEP_LEASE_MS = 5 * MINUTE_MS;
/** Builds that are removed in one transaction. */
export const SWEEP_PORTION = 50;

export const DEFAULT_CONCURRENCY = 8;
export const DEFAULT_TIMEOUT_MS = 60 * MINUTE_MS;
export const DEFAULT_CONTEXT_BYTES = 10_000_000_000;
export const DEFAULT_RETENTION_MS = 30 * 24 * 60 * MINUTE_MS;
