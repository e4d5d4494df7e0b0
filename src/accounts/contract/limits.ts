/** Every cap of the room. Caps that pages quote are in content/facts/limits.yaml. */
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const GB = 1000 ** 3;
export const DAY_MS = 24 * HOUR_MS;

/** Maximum age of this process's memory of a token: a revocation on another replica takes effect within 5 seconds. */
export const IDENTITY_AGE_MS = 4_000;
/** Maximum of remembered tokens and browsers, about 1 KB each. */
export const MAX_REMEMBERED_IDENTITIES = 10_000;
/** The precision of `last_used_at`. */
export const LAST_USE_EXACT_MS = MINUTE_MS;
/** Interval of writes of counts and uses. */
export const FLUSH_EVERY_MS = 5_000;
/** Rows named in one statement. */
export const MAX_FLUSHED_AT_ONCE = 500;

/** `token.user-idle` */
export const USER_TOKEN_IDLE_MS = 90 * DAY_MS;
/** `token.job` */
export const JOB_TOKEN_LIFETIME_MS = 6 * HOUR_MS;
/** `token.browser`: a browser, from the last day on which it opened a page of the application. */
export const SIGN_IN_IDLE_MS = 30 * DAY_MS;
/** `token.browser-absolute`: from the sign-in, however often it is used. */
export const SIGN_IN_LIFETIME_MS = 90 * DAY_MS;
export const INVITATION_LIFETIME_MS = 7 * DAY_MS;
/** A token's own expiry is at most this far in the future. */
export const MAX_TOKEN_LIFETIME_MS = 10 * 365 * DAY_MS;

export const MAX_TOKEN_LENGTH = 256;
export const MAX_ORGANIZATION_NAME_LENGTH = 39;
export const MAX_PROJECT_NAME_LENGTH = 63;
/** For people, tokens and passkeys, in characters. */
export const MAX_NAME_LENGTH = 80;
/** RFC 5321. */
export const MAX_MAIL_LENGTH = 254;
export const MAX_BROWSER_LENGTH = 120;
export const MAX_ADDRESS_LENGTH = 64;
/** For an id or a name that is only looked up. */
export const MAX_REFERENCE_LENGTH = 100;

/** `api.page-size-default`, `api.page-size` */
export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;
export const MAX_PAGE_TOKEN_LENGTH = 1_000;

export const MAX_ORGANIZATIONS = 10_000;
/** For the random part of an invitation's link, 190 bits. */
export const INVITATION_KEY_LENGTH = 32;
export const MAX_ORGANIZATIONS_PER_USER = 200;
export const MAX_MEMBERS = 5_000;
export const MAX_INVITATIONS = 500;
export const MAX_PROJECTS = 5_000;
/** For one organization, or for one person; job tokens are not counted. */
export const MAX_TOKENS = 5_000;
/** The least recently used browser is signed out to make room for a new one. */
export const MAX_SIGN_INS_PER_USER = 100;

export const BUILDER_SIZES: readonly number[] = [2, 4, 8, 16, 32];
export const DEFAULT_BUILDER_SIZE = 4;
/** `layer-cache.size` */
export const DEFAULT_CACHE_SIZE_BYTES = 50 * GB;
export const MIN_CACHE_SIZE_BYTES = GB;
/** Sizes that older releases stored, in powers of 1,024, stay allowed: up to 16 TiB. */
export const MAX_CACHE_SIZE_BYTES = 18_000 * GB;
/** `layer-cache.retention` */
export const DEFAULT_RETENTION_DAYS = 14;
export const MAX_RETENTION_DAYS = 365;

export const MAX_TRUST_RELATIONSHIPS = 50;
export const MAX_CLAIMS = 20;
/** For an issuer, a claim's name and its value. */
export const MAX_CLAIM_LENGTH = 500;

export const FIRST_SWEEP_MS = MINUTE_MS;
export const SWEEP_EVERY_MS = HOUR_MS;
export const SWEEP_LEASE_MS = 10 * MINUTE_MS;
/** Rows deleted by one statement, so that no one waits long for the database. */
export const MAX_SWEPT_AT_ONCE = 1_000;
/** For this long, an ended object can be distinguished from one that never existed. */
export const ENDED_KEPT_MS = 30 * DAY_MS;
/** The same for objects that can be numerous: links and codes, which strangers can request, and job tokens. */
export const ENDED_SOON_KEPT_MS = 24 * HOUR_MS;
/** Untrusted images that are named. */
export const MAX_SPOILED_IMAGES = 100;
/** `audit.retention` */
export const AUDIT_KEPT_MS = 400 * DAY_MS;
/** Counts of calls are kept for this long. */
export const USAGE_KEPT_DAYS = 800;
/** `token.exchange` */
export const EXCHANGES_KEPT_MS = 30 * DAY_MS;
/** For each project: exchanges that were given a token, and as many refused ones; older ones are removed within seconds. */
export const MAX_EXCHANGES_PER_PROJECT = 50;
export const MAX_KEPT_CLAIMS = 40;
/** For one exchange, as JSON. */
export const MAX_KEPT_CLAIMS_BYTES = 8 * 1024;
/** For the subject of a CI job's token. */
export const MAX_SUBJECT_LENGTH = 200;
/** GitHub's token has 2 KB. */
export const MAX_OIDC_TOKEN_LENGTH = 16 * 1024;
/** Exchanges that a relationship is tried on. */
export const MAX_TRIED_EXCHANGES = 10;

/** For the words of a search in the audit log. */
export const MAX_QUERY_LENGTH = 200;
export const MAX_QUERY_WORDS = 10;
/** Lines searched by one statement: a few milliseconds, during which SQLite runs nothing else. */
export const MAX_LINES_AT_ONCE = 2_000;
/** Lines searched by one call. The matches until then are a page, and the next page continues there. */
export const MAX_LINES_PER_CALL = 200_000;

/** `token.restore` */
export const RESTORE_WITHIN_MS = 10_000;
/** Wrong tokens of one client, per minute and in a burst, for which the answer says what is wrong. */
export const REFUSED_RATE = { perMinute: 600, burst: 300 };
/** Characters of the header with a token; a longer header counts as no token. */
export const MAX_AUTHORIZATION_LENGTH = 1024;
/** Patterns of image tags of one project that never move, and their length in characters: that of a tag. */
export const MAX_IMMUTABLE_TAGS = 20;
export const MAX_TAG_PATTERN_LENGTH = 128;
