/** Caps of the registry. */

/** Bytes of a manifest: what OCI Distribution asks of every registry. */
export const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
/**
 * Bytes of manifests that come at once, for all requests; an organization has a quarter of it. With all the requests that one
 * address may have, those of 4 MB would take 2 GB. And how long a request waits for it, in milliseconds.
 */
export const MANIFEST_ROOM_BYTES = 64 * 1024 * 1024;
export const MANIFEST_WAIT_MS = 20_000;
/** Larger manifests are sent like blobs, and this many bytes of them are read at once, in the same time. */
export const WHOLE_MANIFEST_BYTES = 256 * 1024;
export const MANIFEST_READS_BYTES = 32 * 1024 * 1024;
/** Config, layers or manifests that one manifest names. */
export const MAX_REFERENCES = 4_096;
/** Bytes of annotations that are told of a referrer; without them when it has more. */
export const MAX_ANNOTATION_BYTES = 16 * 1024;
/** Characters of a media type or an artifact type (RFC 6838 allows 127 on each side). */
export const MAX_TYPE_LENGTH = 255;
/** Characters of a digest: sha512 has 135. An index of a database takes no text of any length. */
export const MAX_DIGEST_LENGTH = 255;
/** Bytes of a blob. */
export const MAX_BLOB_BYTES = 100_000_000_000;
/** Parts of one upload: one for each PATCH. */
export const MAX_UPLOAD_PARTS = 10_000;
/** Uploads of one repository that are under way, and of all of an organization. */
export const MAX_UPLOADS = 1_000;
export const MAX_UPLOADS_OF_ORGANIZATION = 5_000;
/**
 * How long an upload may take from its beginning, in milliseconds. A little less than what the collector of
 * `platform/blobs` waits before it removes files without a record: parts have none there.
 */
export const UPLOAD_MS = 23.5 * 60 * 60 * 1000;
/** Bytes of a request that was broken off which are kept, so that its client need not send them again. */
export const KEPT_PART_BYTES = 1_000_000;
/** How long the bytes of an organization stay known without being counted again, in milliseconds. */
export const COUNTED_MS = 60_000;
/** Before somebody is refused for them, they are counted again if that was longer ago, or something was added. */
export const RECOUNT_MS = 1_000;
/**
 * The same for an organization that has little room left: other servers of the cluster put things, too, and together they may
 * exceed the quota by what comes within this time.
 */
export const NEAR_COUNTED_MS = 5_000;
/** From this share of its quota on, an organization has little room left, and its pushes are answered with a warning. */
export const WARNED_SHARE = 0.9;
/** Organizations whose bytes are remembered. */
export const MAX_COUNTED = 10_000;
/** Repositories that are tried when a client names none to mount a blob from. */
export const MAX_MOUNT_SOURCES = 100;
/** How long the address lives that a client is sent to for a blob, in seconds. */
export const REDIRECT_SECONDS = 20 * 60;
/** How long something that nothing refers to stays after it was pushed, mounted or asked for, in milliseconds. */
export const GRACE_MS = 24 * 60 * 60 * 1000;
/** A use within this time of the last one is not written again. */
export const USE_EXACT_MS = 60 * 60 * 1000;
/** How soon after the start, and how often, what nobody needs is removed, in milliseconds. */
export const FIRST_SWEEP_MS = 60_000;
export const SWEEP_EVERY_MS = 60 * 60 * 1000;
/** After this long another replica takes over who removes, in milliseconds. Longer than the longest transaction. */
export const SWEEP_LEASE_MS = 60_000;
/** Uploads, manifests and blobs that one transaction of a sweep looks at, and what the manifests may name together. */
export const SWEPT_UPLOADS = 100;
export const SWEPT_MANIFESTS = 100;
export const SWEPT_BLOBS = 500;
export const SWEPT_REFERENCES = 5_000;
/** What something keeps is looked at again after this, in milliseconds, though nobody has said that it has lost it. */
export const LOOK_AGAIN_MS = 7 * 24 * 60 * 60 * 1000;
/** The longest wait for the end of a retention, in milliseconds: an operator may shorten it. */
export const RETENTION_LOOK_MS = 24 * 60 * 60 * 1000;
/** Milliseconds that saved builds without a tag of their own are kept, if the operator says nothing else. */
export const DEFAULT_RETENTION_MS = 7 * 24 * 60 * 60 * 1000;
/** Bytes of an organization, if the operator says nothing else. */
export const DEFAULT_QUOTA_BYTES = 500_000_000_000;
/** Tags in one repository. */
export const MAX_TAGS = 1_000_000;
/** Names in one answer of the tag list, and of referrers. */
export const MAX_LISTED = 1_000;
/** Characters of an address with its query. */
export const MAX_ADDRESS_LENGTH = 4_096;
/** Characters of a repository's name. */
export const MAX_NAME_LENGTH = 255;
/** How long a name stays known to be a repository, in milliseconds. */
export const REMEMBERED_MS = 1_000;
export const MAX_REMEMBERED_REPOSITORIES = 10_000;
/** How long the token lives that clients get from `/v2/token`, in seconds. BuildKit asks again at half of it. */
export const TOKEN_SECONDS = 600;
/** Repositories in one token. */
export const MAX_SCOPES = 50;
/** Characters of a token's scopes: it is a header of every request, and Node takes 16 kB of them. */
export const MAX_SCOPES_LENGTH = 4_096;
/** Rows of one statement. */
export const ROWS_AT_ONCE = 500;
/** Manifests that are kept in memory, with their bytes, and tags that are known to name one of them. */
export const MAX_REMEMBERED_MANIFEST_BYTES = 64 * 1024 * 1024;
export const MAX_REMEMBERED_TAGS = 50_000;
/** Indexes inside each other whose images are counted, and rows that are read to count them. */
export const MAX_NESTED_INDEXES = 4;
export const MAX_COUNTED_REFERENCES = 50_000;
/** Bytes of an image's config that are read: for its platform, its labels and its steps. */
export const MAX_CONFIG_BYTES = 1_000_000;
/** A config with more says nothing of the image. One of 127 layers has some 700 values; as many names as this take 7 ms. */
export const MAX_CONFIG_VALUES = 16_384;
export const MAX_CONFIG_DEPTH = 32;
/** Bytes of one answer of referrers, at least one of which is told. */
export const MAX_REFERRERS_BYTES = 4 * 1024 * 1024;
/** Referrers that are looked up before memory is asked for; with more, then so many at once, and what that may take. */
export const FEW_REFERRERS = 15;
export const REFERRERS_AT_ONCE = 250;
export const REFERRERS_ANSWER_BYTES = 3 * MAX_REFERRERS_BYTES;
/** How often pulls are written, in milliseconds, and images at which they are written at once. */
export const PULLS_EVERY_MS = 10_000;
export const MAX_BUFFERED_PULLS = 10_000;
/** A tag that is pushed again within this time is not told again, in milliseconds, and tags of which that is known. */
export const TOLD_EVERY_MS = 60_000;
export const MAX_TOLD = 10_000;
/** How long the number of a repository's tags stays known, in milliseconds. */
export const TAGS_COUNTED_MS = 60_000;
export const MAX_COUNTED_REPOSITORIES = 1_000;
/** Of one image that people are shown: platforms, layers of each, referrers, characters of a step. */
export const MAX_SHOWN_PLATFORMS = 100;
export const MAX_SHOWN_LAYERS = 1_000;
export const MAX_SHOWN_REFERRERS = 100;
export const MAX_STEP_LENGTH = 1_000;
/** Tags that are told of an image: in a list, and of one alone. */
export const MAX_TAGS_IN_LIST = 500;
export const MAX_TAGS_OF_IMAGE = 10_000;
/** Manifests with the same layer, of which it is looked up whose they are. */
export const MAX_SHARING = 100;
