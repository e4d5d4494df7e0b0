/** What a tool of the cache is: all that server, application, documentation and CLI show of it. */
import type { Cache, Grant } from "../contract/cache.ts";
import type { HttpProtocol } from "../http/call.ts";

/** Null: the bytes are not an action result, or it names a missing blob. */
export type CompleteActionResult = (cache: Cache, grant: Grant, bytes: Uint8Array) => Promise<object | null>;

/**
 * Its id is its name in `registry.ts`. Texts of the documentation are inline Markdown, and its page is
 * `content/docs/cache/reference/<id>.mdx`. `{{origin}}`, `{{host}}` and, in `setUp`, `{{org}}` are filled in.
 */
export interface CacheTool {
  name: string;
  /** Its addresses below `/cache/<id>`. */
  http?: HttpProtocol | ((completeActionResult: CompleteActionResult) => HttpProtocol);
  /** Whether it speaks the Remote Execution API, with its id as the instance name. */
  grpc?: true;
  /** The oldest version that its page covers; no one has tried it if it is newer than `tested`. */
  since: string;
  /** The versions that `tests/clients/cache` installs. */
  tested: string;
  /** Its mark in simple-icons, a file name without `.svg`; the application shows a plain icon if there is none. */
  brand?: string;
  /** Its protocol in few words, in the application. */
  how: string;
  /** Requested entries, and the work that they save, in the application. */
  saves: string;
  /** The columns of `<CacheTools />`. */
  protocol: string;
  address: string;
  credentials: string;
  /** Where it reads the token, and in which form. */
  token: { from: string; form: string };
  /** How a user token's organization is named; absent if the tool cannot send a header. */
  organization?: string;
  /** What a Millrace runner has set for it; tools with the same text share a row. */
  runner: string;
  prints: { miss: string; hit: string };
  /** The command that shows what went into a key, and what to compare. */
  keys: { command: string; compare: string };
  setUp: SetUp;
}

/** How to connect it, with the same lines as its documentation page; a test compares them. */
interface SetUp {
  files: readonly { name: string; text: string }[];
  /** Fills the cache, then reads from it. */
  twice: readonly string[];
  /** The second run's output when something came from the cache. */
  proof: { where: string; mark: string };
}
