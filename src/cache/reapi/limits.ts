/** Every cap of the Remote Execution API. */

/** Bytes of all blobs in one BatchUpdateBlobs or BatchReadBlobs, as Capabilities tells it. */
export const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** The same of compressed blobs, before they were compressed: 4 MB of sources are 20 MB. */
export const MAX_BATCH_DECODED_BYTES = 16 * MAX_BATCH_BYTES;
/** Bytes that decoders of compressed uploads may take at once: of ByteStream, and of batches. */
export const DECODERS_BYTES = 256 * 1024 * 1024;
export const BATCH_DECODERS_BYTES = 64 * 1024 * 1024;
/** What one takes, with the encoder behind it, beside the content that it remembers; and of that at most (`decode-zstd.ts`). */
export const DECODER_BYTES = 256 * 1024;
export const DECODER_WINDOW_BYTES = 8 * 1024 * 1024;
/** How long an upload waits for that, in milliseconds; less than others wait for room for messages, which it may hold. */
export const DECODERS_WAIT_MS = 15_000;
/** Bytes of one message: a batch, with digests and names around its bytes. Clients send at most 4 MB. */
export const MAX_MESSAGE_BYTES = MAX_BATCH_BYTES + 512 * 1024;
/** Blobs that one call names. FindMissingBlobs has room for 58,000 in a message of 4 MB. */
export const MAX_BLOBS_PER_CALL = 65_536;
/** Of these, those that are looked up, or answered, before others get their turn: a few milliseconds. */
export const DIGESTS_PER_TURN = 500;
/** What one response of a batch takes in memory, in bytes, beside its blob's. */
export const RESPONSE_BYTES = 700;
/** Blobs of one batch that are read or written at the same time. */
export const BATCH_AT_ONCE = 32;
/** Of these, those that are begun before others get their turn, by their bytes: about 1 ms; and what each costs beside them. */
export const BATCH_TURN_BYTES = 512 * 1024;
export const ITEM_BYTES = 64 * 1024;
/** Blobs of one batch that have come before their entries are put: small ones, which may have come compressed, are in memory. */
export const RECEIVED_AT_ONCE = 64;
/** Entries of one batch that are put together: as many as share a transaction. */
export const PUT_AT_ONCE = 16;
/** Bytes of an action result; larger ones are no hit. */
export const MAX_ACTION_RESULT_BYTES = 4 * 1024 * 1024;
/** Bytes of the tree of an output directory; larger ones are no hit. */
export const MAX_TREE_BYTES = 64 * 1024 * 1024;
/** Bytes that all calls together may take to look into trees, at once. */
export const TREES_BYTES = 128 * 1024 * 1024;
/** What that takes for each byte of a tree: itself, and the digests of its files. */
export const TREE_FACTOR = 4;
/** What it takes where directories have to be walked, whose number is not known before. */
export const WALK_BYTES = 32 * 1024 * 1024;
/** How long a call waits for that, in milliseconds. */
export const TREES_WAIT_MS = 20_000;
/** What an action result takes for each of its bytes, encoded, decoded and encoded again. */
export const RESULT_FACTOR = 4;
/** Bytes of one directory, which is decoded in one go: some 30,000 files. Larger ones are no hit. */
export const MAX_DIRECTORY_BYTES = 3 * 1024 * 1024;
/** Bytes of a tree that are decoded before others get their turn: about 10 ms. */
export const DECODE_AT_ONCE_BYTES = 512 * 1024;
/** Blobs that one action result names, through its trees as well. */
export const MAX_OUTPUTS = 500_000;
/** Directories of one tree that is walked. */
export const MAX_DIRECTORIES = 100_000;
/** Directories in one answer of GetTree. */
export const DIRECTORIES_PER_PAGE = 1_000;
/** Bytes of directories in one answer of GetTree. */
export const PAGE_BYTES = 3 * 1024 * 1024;
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
