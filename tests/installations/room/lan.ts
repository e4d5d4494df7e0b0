/**
 * A network of rooms: a switch and a router in a namespace of their own, and a way out to the package registries. Nothing of it
 * is the machine's: it goes with its processes, and they go with the test.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readlinkSync } from "node:fs";
import { promisify } from "node:util";
import { comesTrue } from "../../attack/processes.ts";

const run = promisify(execFile);
const START_MS = 20_000;
const ROUTER = "10.214.0.1";
/** slirp4netns gives the machine's own loopback this address, and its name servers the next one. */
export const MACHINE = "10.0.2.2";
export const NAME_SERVER = "10.0.2.3";
/** Killing the test ends the processes that it has started. */
export const ENDS_WITH_TEST = ["--pdeathsig", "KILL", "--"];

export interface Lan {
  /** Gives the network namespace of a process an address, which may be a former one. @returns it */
  connect: (pid: number, address?: string) => Promise<string>;
  close: () => Promise<void>;
}

export async function openLan(): Promise<Lan> {
  const router = spawn("setpriv", [...ENDS_WITH_TEST, "unshare", "--net", "sleep", "infinity"], {
    stdio: "ignore",
  });
  const pid = router.pid ?? 0;
  const own = namespaceOf("self");
  const isApart = () => ![own, null].includes(namespaceOf(pid));
  if (!(await comesTrue(isApart, START_MS))) throw new Error("There is no network namespace to be had.");
  const inRouter = (script: string) => run("nsenter", [`--net=/proc/${pid}/ns/net`, "sh", "-ec", script]);
  await inRouter(`
    ip link set lo up
    # Without an address of its own it has the lowest one of its plugs: another one as soon as a room restarts.
    ip link add switch address 02:00:00:00:00:01 type bridge
    ip address add ${ROUTER}/24 dev switch
    ip link set switch up
    echo 1 > /proc/sys/net/ipv4/ip_forward
    nft 'add table ip out; add chain ip out post { type nat hook postrouting priority 100; };
      add rule ip out post oifname out masquerade'`);
  const out = await openWayOut(pid);
  let count = 0;
  return {
    async connect(room, former) {
      const plug = `room${++count}`;
      const address = former ?? `10.214.0.${count + 1}`;
      await inRouter(`
        ip link add ${plug} type veth peer name eth0 netns ${room}
        ip link set ${plug} master switch up`);
      // A restarted machine keeps its former card: others remember it for a minute.
      const last = Number(address.split(".").at(-1)).toString(16).padStart(2, "0");
      const inRoom = `ip link set eth0 address 02:00:00:00:00:${last}
        ip address add ${address}/24 dev eth0
        ip link set lo up
        ip link set eth0 up
        ip route add default via ${ROUTER}`;
      await run("nsenter", [`--net=/proc/${room}/ns/net`, "sh", "-ec", inRoom]);
      return address;
    },
    async close() {
      await Promise.all([out, router].map(end));
    },
  };
}

async function openWayOut(router: number): Promise<ChildProcess> {
  const options = ["--configure", "--mtu=65520", "--ready-fd=3", String(router), "out"];
  const out = spawn("setpriv", [...ENDS_WITH_TEST, "slirp4netns", ...options], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const ready = out.stdio[3];
  if (!ready) throw new Error("A pipe was asked for.");
  await Promise.race([once(ready, "data"), once(out, "exit")]);
  if (out.exitCode !== null) throw new Error("slirp4netns ended at once.");
  return out;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

function namespaceOf(pid: number | "self"): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return null;
  }
}
