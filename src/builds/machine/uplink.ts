/**
 * A builder's only way out (decision 033): a process of this machine that turns what leaves the builder's network into
 * connections of its own. So the machine's rules apply, and nothing of its network is changed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { explainMissing } from "./programs.ts";

/** Of the uplink's own network, as every builder sees it: .2 is the way out, .3 answers questions about names. */
const NETWORK = "10.64.0.0/16";
export const NAME_SERVER = "10.64.0.3";
/** The uplink copies packets: the larger they are, the fewer. */
export const PACKET_BYTES = 65_520;
const TOLD_CHARACTERS = 2_000;

export interface Uplink {
  /** Resolves when it is gone, also without `close`. */
  ended: Promise<void>;
  close: () => Promise<void>;
}

/**
 * @param path of the network's namespace, in which the interface `uplink` is made
 * @param users the namespace of users that it belongs to; null: the machine's
 * @returns when the interface is there. @throws Error that says what is missing
 */
export async function openUplink(path: string, users: string | null): Promise<Uplink> {
  const child = spawn(
    "slirp4netns",
    [
      ["--netns-type=path", `--mtu=${PACKET_BYTES}`, "--disable-host-loopback", `--cidr=${NETWORK}`],
      // It ends when the pipe is closed, so it does not outlive this process.
      users === null ? [] : [`--userns-path=${users}`],
      ["--ready-fd=3", "--exit-fd=4", path, "uplink"],
    ].flat(),
    { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"] },
  );
  let told = "";
  child.stderr?.on("data", (text: Buffer) => (told = (told + text.toString()).slice(-TOLD_CHARACTERS)));
  const ended = endOf(child);
  const failed = ended.then((error) => {
    throw error ? explainMissing(error) : new Error(`slirp4netns ended: ${told.trim()}`);
  });
  // Only waited for while it starts.
  failed.catch(() => {});
  const ready = child.stdio[3];
  if (!ready) throw new Error("slirp4netns has no pipe to say that it is ready");
  await Promise.race([once(ready, "data"), failed]);
  return {
    ended: ended.then(() => {}),
    async close() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** @returns why it did not start; null for one that has */
function endOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    child.once("error", resolve);
    child.once("exit", () => resolve(null));
  });
}
