/** Caps of pull-through. Everything from an upstream is untrusted. */

/** How long a stored tag is used before the upstream is asked again, in milliseconds. */
export const TAG_MS = 5 * 60 * 1000;
/** How long an upstream that did not respond is left alone, while stored images are served, in milliseconds. */
export const AWAY_MS = 30 * 1000;
/** How long a client waits for the upstream when a stored image would do, in milliseconds. */
export const STALE_AFTER_MS = 5_000;
/** Tags for which the time of the last request is remembered. */
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
/** Lifetime of an upstream's token that does not say one, and the longest lifetime, in seconds. */
export const TOKEN_SECONDS = 60;
export const MAX_TOKEN_SECONDS = 60 * 60;
/** Blobs and manifests that are fetched at the same time; others wait. */
export const MAX_FETCHES = 32;
/** Fetches that wait. */
export const MAX_WAITING = 2_000;
/** How long content stays that no one pulls, in milliseconds. */
export const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;
/** Bytes of all pulled-through content, unless the operator sets the quota. */
export const DEFAULT_MIRROR_QUOTA_BYTES = 100_000_000_000;
/** Hosts that an operator may list, and bytes of the file with their credentials. */
export const MAX_HOSTS = 100;
export const MAX_CREDENTIALS_BYTES = 1024 * 1024;
/** Content that was used within this time is not removed to make room, in milliseconds. */
export const IN_USE_MS = 10 * 60 * 1000;
/** Manifests that one transaction removes. */
export const REMOVED_AT_ONCE = 20;
/** The part of the quota that may arrive before room is checked again. */
export const ROOM_SHARE = 0.01;
/** How often it is written that a requested manifest was used, in milliseconds. */
export const TOUCH_MS = 24 * 60 * 60 * 1000;
/** Characters of a user name or a password. Those of cloud providers are long. */
export const MAX_CREDENTIAL_LENGTH = 8_192;
/** Organizations and hosts for which it is remembered for a moment whether there are credentials. */
export const MAX_REMEMBERED_CREDENTIALS = 10_000;
/** Clients of upstreams with an organization's credentials that are kept. */
export const MAX_UPSTREAMS = 1_000;
/** Bytes of a blob being fetched that are kept in memory, for readers that keep up. */
export const LIVE_BYTES = 4 * 1024 * 1024;
