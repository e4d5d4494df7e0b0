/** Caps of what is pulled through. Everything that comes from an upstream is an outsider's. */

/** How long a tag is believed before the upstream is asked again, in milliseconds. */
export const TAG_MS = 5 * 60 * 1000;
/** How long an upstream that did not answer is left alone, while what is here is served, in milliseconds. */
export const AWAY_MS = 30 * 1000;
/** How long a client waits for the upstream when what is here would do, in milliseconds. */
export const STALE_AFTER_MS = 5_000;
/** Tags whose last question is remembered. */
export const MAX_ASKED = 50_000;
/** How long an upstream may take to begin its answer, and between two pieces of it, in milliseconds. */
export const SILENT_MS = 30 * 1000;
/** How long a manifest or a token may take, in milliseconds. */
export const SHORT_MS = 60 * 1000;
/** How long a blob may take, in milliseconds. */
export const BLOB_MS = 6 * 60 * 60 * 1000;
/** Redirects of one request. */
export const MAX_REDIRECTS = 5;
/** Bytes of the headers of an answer. */
export const MAX_HEADER_BYTES = 32 * 1024;
/** Characters of an address that an upstream names. Signed ones are long. */
export const MAX_ADDRESS_LENGTH = 8_192;
/** Bytes of an answer of a token server. */
export const MAX_TOKEN_BYTES = 64 * 1024;
/** Tokens of upstreams that are remembered. */
export const MAX_TOKENS = 1_000;
/** How long the token of an upstream lives that does not say it, and a second less than said, in seconds. */
export const TOKEN_SECONDS = 60;
export const MAX_TOKEN_SECONDS = 60 * 60;
/** Blobs and manifests that are fetched at once; others wait. */
export const MAX_FETCHES = 32;
/** Those that wait. */
export const MAX_WAITING = 2_000;
/** How long something stays that nobody pulls, in milliseconds. */
export const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;
/** Bytes of all that is pulled through, if the operator says nothing else. */
export const DEFAULT_MIRROR_QUOTA_BYTES = 100_000_000_000;
/** Hosts that an operator may list, and bytes of the file with their credentials. */
export const MAX_HOSTS = 100;
export const MAX_CREDENTIALS_BYTES = 1024 * 1024;
/** What was used within this time is not taken away to make room, in milliseconds. */
export const IN_USE_MS = 10 * 60 * 1000;
/** Manifests that one transaction takes away. */
export const REMOVED_AT_ONCE = 20;
/** The part of the quota that may come before it is looked whether there is room. */
export const ROOM_SHARE = 0.01;
/** A manifest that is asked for counts as used, written this often, in milliseconds. */
export const TOUCH_MS = 24 * 60 * 60 * 1000;
/** Characters of a user name or a password. Those of clouds are long. */
export const MAX_CREDENTIAL_LENGTH = 8_192;
/** Organizations and hosts of which it is known for a moment whether there are credentials. */
export const MAX_REMEMBERED_CREDENTIALS = 10_000;
/** Clients of upstreams with credentials of an organization that are kept. */
export const MAX_UPSTREAMS = 1_000;
/** Bytes of a blob on its way that are kept in memory, for readers that keep up. */
export const LIVE_BYTES = 4 * 1024 * 1024;
