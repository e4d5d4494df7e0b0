/** Every cap of the Remote Execution API. */

/** Bytes of all blobs in one BatchUpdateBlobs or BatchReadBlobs, as announced by Capabilities. */
export const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** The same for compressed blobs, before their compression: 4 MB of sources are 20 MB. */
export const MAX_BATCH_DECODED_BYTES = 16 * MAX_BATCH_BYTES;
/** Bytes that decoders of compressed uploads may take together: for ByteStream, and for batches. */
export const DECODERS_BYTES = 256 * 1024 * 1024;
export const BATCH_DECODERS_BYTES = 64 * 1024 * 1024;
/** Bytes of one decoder and its encoder, without the content that it remembers; and of that at most (`decode-zstd.ts`). */
export const DECODER_BYTES = 256 * 1024;
export const DECODER_WINDOW_BYTES = 8 * 1024 * 1024;
/** How long an upload waits for that, in milliseconds; less than the wait for messages, whose room it may hold. */
export const DECODERS_WAIT_MS = 15_000;
/** Bytes of one message: a batch, including digests and names. Clients send at most 4 MB. */
export const MAX_MESSAGE_BYTES = MAX_BATCH_BYTES + 512 * 1024;
/** Blobs that one call names. FindMissingBlobs has room for 58,000 in a message of 4 MB. */
export const MAX_BLOBS_PER_CALL = 65_536;
/** Blobs of a call that are looked up, or answered, before other calls get their turn: a few milliseconds. */
export const DIGESTS_PER_TURN = 500;
/** Memory of one response of a batch, in bytes, without its blob. */
export const RESPONSE_BYTES = 700;
/** Blobs of one batch that are read or written at the same time. */
export const BATCH_AT_ONCE = 32;
/** Bytes of such blobs that are begun before other calls get their turn: about 1 ms; and the extra cost of each blob. */
export const BATCH_TURN_BYTES = 512 * 1024;
export const ITEM_BYTES = 64 * 1024;
/** Blobs of one batch that are received before their entries are put: small ones, which may arrive compressed, are in memory. */
export const RECEIVED_AT_ONCE = 64;
/** Entries of one batch that are put together: as many as share a transaction. */
export const PUT_AT_ONCE = 16;
/** Bytes of an action result; a larger one is not a hit. */
export const MAX_ACTION_RESULT_BYTES = 4 * 1024 * 1024;
/** Bytes of the tree of an output directory; a larger one is not a hit. */
export const MAX_TREE_BYTES = 64 * 1024 * 1024;
/** Bytes that all calls together may take to read trees. */
export const TREES_BYTES = 128 * 1024 * 1024;
/** Bytes taken per byte of a tree: the tree itself, and the digests of its files. */
export const TREE_FACTOR = 4;
/** Bytes taken where directories must be walked: their number is not known in advance. */
export const WALK_BYTES = 32 * 1024 * 1024;
/** How long a call waits for that, in milliseconds. */
export const TREES_WAIT_MS = 20_000;
/** Bytes taken per byte of an action result: encoded, decoded and encoded again. */
export const RESULT_FACTOR = 4;
/** Bytes of one directory, which is decoded in one go: some 30,000 files. A larger one is not a hit. */
export const MAX_DIRECTORY_BYTES = 3 * 1024 * 1024;
/** Bytes of a tree that are decoded before other calls get their turn: about 10 ms. */
export const DECODE_AT_ONCE_BYTES = 512 * 1024;
/** Blobs that one action result names, including its trees. */
export const MAX_OUTPUTS = 500_000;
/** Directories of one tree that is walked. */
export const MAX_DIRECTORIES = 100_000;
/** Directories in one answer of GetTree. */
export const DIRECTORIES_PER_PAGE = 1_000;
/** Bytes of directories in one answer of GetTree. */
export const PAGE_BYTES = 3 * 1024 * 1024;
/** Bytes that an action result has inline on request. */
export const MAX_INLINE_BYTES = 1024 * 1024;
/** Bytes of a blob in one message of ByteStream.Read. */
export const READ_CHUNK_BYTES = 64 * 1024;
/** Uploads that wait to be continued, of one token and of all. Each holds an open file. */
export const MAX_UNFINISHED_PER_TOKEN = 32;
export const MAX_UNFINISHED = 256;
/** How long they wait, in milliseconds. */
export const UNFINISHED_MS = 10 * 60 * 1000;
/** Characters of a resource's name. */
export const MAX_RESOURCE_NAME_LENGTH = 1024;
