/** Caps of the registry. */

/** Bytes of a manifest: what OCI Distribution asks of every registry. */
export const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
/**
 * Bytes of manifests that arrive at the same time, for all requests; an organization has a quarter of it. With all the requests
 * that one address may have, manifests of 4 MB would take 2 GB. And how long a request waits for room, in milliseconds.
 */
export const MANIFEST_ROOM_BYTES = 64 * 1024 * 1024;
export const MANIFEST_WAIT_MS = 20_000;
/** Larger manifests are sent like blobs. And bytes of them that are read at the same time, with the same wait. */
export const WHOLE_MANIFEST_BYTES = 256 * 1024;
export const MANIFEST_READS_BYTES = 32 * 1024 * 1024;
/** Config, layers or manifests that one manifest names. */
export const MAX_REFERENCES = 4_096;
/** Bytes of a referrer's annotations in an answer; longer annotations are left out. */
export const MAX_ANNOTATION_BYTES = 16 * 1024;
/** Characters of a media type or an artifact type (RFC 6838 allows 127 on each side). */
export const MAX_TYPE_LENGTH = 255;
/** Characters of a digest: sha512 has 135. A database index does not accept text of any length. */
export const MAX_DIGEST_LENGTH = 255;
/** Bytes of a blob. */
export const MAX_BLOB_BYTES = 100_000_000_000;
/** Parts of one upload: one for each PATCH. */
export const MAX_UPLOAD_PARTS = 10_000;
/** Uploads in progress, of one repository and of a whole organization. */
export const MAX_UPLOADS = 1_000;
export const MAX_UPLOADS_OF_ORGANIZATION = 5_000;
/**
 * How long an upload may take from its beginning, in milliseconds. A little less than the collector of `platform/blobs` waits
 * before it removes files without a record: parts have none there.
 */
export const UPLOAD_MS = 23.5 * 60 * 60 * 1000;
/** Bytes of a broken-off request that are worth keeping, so that its client need not send them again. */
export const KEPT_PART_BYTES = 1_000_000;
/** How long the bytes of an organization stay known without being counted again, in milliseconds. */
export const COUNTED_MS = 60_000;
/** Before a request is refused for lack of room, bytes are counted again if the last count is older, or something was added. */
export const RECOUNT_MS = 1_000;
/**
 * The same for an organization that has little room left: other servers of the cluster also store content, and together they
 * may exceed the quota by what arrives within this time.
 */
export const NEAR_COUNTED_MS = 5_000;
/** From this share of its quota on, an organization has little room left, and its pushes are answered with a warning. */
export const WARNED_SHARE = 0.9;
/** Organizations whose bytes are remembered. */
export const MAX_COUNTED = 10_000;
/** Repositories that are tried when a client names none to mount a blob from. */
export const MAX_MOUNT_SOURCES = 100;
/** Lifetime of the address that a client is redirected to for a blob, in seconds. */
export const REDIRECT_SECONDS = 20 * 60;
/** How long unreferenced content stays after it was pushed, mounted or asked for, in milliseconds. */
export const GRACE_MS = 24 * 60 * 60 * 1000;
/** A use within this time of the last one is not written again. */
export const USE_EXACT_MS = 60 * 60 * 1000;
/** How soon after the start, and how often, unneeded content is removed, in milliseconds. */
export const FIRST_SWEEP_MS = 60_000;
export const SWEEP_EVERY_MS = 60 * 60 * 1000;
/** After this time another replica takes over the removal, in milliseconds. Longer than the longest transaction. */
export const SWEEP_LEASE_MS = 60_000;
/** Uploads, manifests and blobs that one transaction of a sweep looks at, and the references that its manifests may have together. */
export const SWEPT_UPLOADS = 100;
export const SWEPT_MANIFESTS = 100;
export const SWEPT_BLOBS = 500;
export const SWEPT_REFERENCES = 5_000;
/** Content that something keeps is checked again after this, in milliseconds, even if nothing reported a change. */
export const LOOK_AGAIN_MS = 7 * 24 * 60 * 60 * 1000;
/** The longest wait for the end of a retention, in milliseconds: an operator may shorten the retention. */
export const RETENTION_LOOK_MS = 24 * 60 * 60 * 1000;
/** How long saved builds without a tag of their own are kept, in milliseconds, unless the operator sets it. */
export const DEFAULT_RETENTION_MS = 7 * 24 * 60 * 60 * 1000;
/** Bytes of an organization, unless the operator sets the quota. */
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
/** Lifetime of the tokens that clients get from `/v2/token`, in seconds. BuildKit asks again at half of it. */
export const TOKEN_SECONDS = 600;
/** Repositories in one token. */
export const MAX_SCOPES = 50;
/** Characters of a token's scopes: it is a header of every request, and Node takes 16 kB of them. */
export const MAX_SCOPES_LENGTH = 4_096;
/** Rows of one statement. */
export const ROWS_AT_ONCE = 500;
/** Bytes of manifests that are kept in memory, and tags that are known to name one of them. */
export const MAX_REMEMBERED_MANIFEST_BYTES = 64 * 1024 * 1024;
export const MAX_REMEMBERED_TAGS = 50_000;
/** Nested indexes whose images are counted, and rows that are read to count them. */
export const MAX_NESTED_INDEXES = 4;
export const MAX_COUNTED_REFERENCES = 50_000;
/** Bytes of an image's config that are read: for its platform, its labels and its steps. */
export const MAX_CONFIG_BYTES = 1_000_000;
/** A config with more values says nothing about the image. One of 127 layers has some 700 values; as many names as this take 7 ms. */
export const MAX_CONFIG_VALUES = 16_384;
export const MAX_CONFIG_DEPTH = 32;
/** Bytes of one answer of referrers, which has at least one. */
export const MAX_REFERRERS_BYTES = 4 * 1024 * 1024;
/** Referrers that are looked up before memory is reserved; after that, referrers per query, and the bytes to reserve. */
export const FEW_REFERRERS = 15;
export const REFERRERS_AT_ONCE = 250;
export const REFERRERS_ANSWER_BYTES = 3 * MAX_REFERRERS_BYTES;
/** How often pulls are written, in milliseconds, and images at which they are written immediately. */
export const PULLS_EVERY_MS = 10_000;
export const MAX_BUFFERED_PULLS = 10_000;
/** A tag that is pushed again within this time is not reported again, in milliseconds, and tags that are remembered for it. */
export const TOLD_EVERY_MS = 60_000;
export const MAX_TOLD = 10_000;
/** How long the number of a repository's tags stays known, in milliseconds. */
export const TAGS_COUNTED_MS = 60_000;
export const MAX_COUNTED_REPOSITORIES = 1_000;
/** Shown of one image: platforms, layers of each, referrers, characters of a step. */
export const MAX_SHOWN_PLATFORMS = 100;
export const MAX_SHOWN_LAYERS = 1_000;
export const MAX_SHOWN_REFERRERS = 100;
export const MAX_STEP_LENGTH = 1_000;
/** Tags that are shown of an image: in a list, and of one image alone. */
export const MAX_TAGS_IN_LIST = 500;
export const MAX_TAGS_OF_IMAGE = 10_000;
/** Manifests with the same layer, up to which the layer's images are looked up. */
export const MAX_SHARING = 100;
