/**
 * A builder's only way out (decision 033): a process of this machine that turns outgoing traffic of the builder's network into its
 * own connections. So the machine's rules apply, and its network is not changed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { explainMissing } from "./programs.ts";

/** The uplink's own network, as every builder sees it: .2 is the gateway, .3 answers DNS queries. */
const NETWORK = "10.64.0.0/16";
export const NAME_SERVER = "10.64.0.3";
/** The uplink copies packets: the larger they are, the fewer there are. */
export const PACKET_BYTES = 65_520;
const TOLD_CHARACTERS = 2_000;

export interface Uplink {
  /** Resolves when it has ended, even without `close`. */
  ended: Promise<void>;
  close: () => Promise<void>;
}

/**
 * @param path of the network namespace in which the interface `uplink` is made
 * @param users the user namespace that it belongs to; null: the machine's
 * @returns when the interface exists. @throws Error that says what is missing
 */
export async function openUplink(path: string, users: string | null): Promise<Uplink> {
  const child = spawn(
    "slirp4netns",
    [
      ["--netns-type=path", `--mtu=${PACKET_BYTES}`, "--disable-host-loopback", `--cidr=${NETWORK}`],
      // It ends when the pipe closes, so it does not outlive this process.
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
  // Only awaited during the start.
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

/** @returns why it did not start; null if it did */
function endOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve) => {
    child.once("error", resolve);
    child.once("exit", () => resolve(null));
  });
}
