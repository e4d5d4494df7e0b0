/** Every cap of the Remote Execution API. */

/** Bytes of all blobs in one BatchUpdateBlobs or BatchReadBlobs, as Capabilities tells it. */
export const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** Bytes of one message: a batch, with digests and names around its bytes. Clients send at most 4 MB. */
export const MAX_MESSAGE_BYTES = MAX_BATCH_BYTES + 512 * 1024;
/** Blobs that one call names. FindMissingBlobs has room for 58,000 in a message of 4 MB. */
export const MAX_BLOBS_PER_CALL = 65_536;
/** Blobs of one batch that are read or written at the same time. */
export const BATCH_AT_ONCE = 32;
/** Bytes of an action result; larger ones are no hit. */
export const MAX_ACTION_RESULT_BYTES = 4 * 1024 * 1024;
/** Bytes of the tree of an output directory, and of one directory; larger ones are no hit. */
export const MAX_TREE_BYTES = 64 * 1024 * 1024;
/** Blobs that one action result names, through its trees as well. */
export const MAX_OUTPUTS = 500_000;
/** Directories of one tree that is walked. */
export const MAX_DIRECTORIES = 100_000;
/** Directories in one answer of GetTree. */
export const DIRECTORIES_PER_PAGE = 1_000;
/** Bytes that an action result carries inline because it was asked to. */
export const MAX_INLINE_BYTES = 1024 * 1024;
/** Bytes of a blob in one message of ByteStream.Read. */
export const READ_CHUNK_BYTES = 64 * 1024;
/** Uploads that wait to be continued, of one token and of all. Each holds an open file. */
export const MAX_UNFINISHED_PER_TOKEN = 32;
export const MAX_UNFINISHED = 256;
/** Milliseconds for which they wait. */
export const UNFINISHED_MS = 10 * 60 * 1000;
/** Characters of a resource's name. */
export const MAX_RESOURCE_NAME_LENGTH = 1024;
