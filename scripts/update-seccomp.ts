/**
 * Writes `deploy/seccomp.json`: Docker's default profile, plus the calls that builders in a container need (decision 050). The
 * profile is a Go module, which Go verifies with its public checksum database.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { root } from "#server/pages/build-folders.ts";

const MODULE = "github.com/moby/profiles/seccomp@v0.3.0";

const RULE = {
  comment:
    "For builders: namespaces of users, processes, mounts and the network, and what runc and BuildKit mount in them. All but unshare and keyctl also need a capability, which a process of the server has in its own user namespaces alone.",
  names: [
    "chroot",
    "fsconfig",
    "fsmount",
    "fsopen",
    "keyctl",
    "mount",
    "move_mount",
    "open_tree",
    "pivot_root",
    "sethostname",
    "setns",
    "umount2",
    "unshare",
  ],
  action: "SCMP_ACT_ALLOW",
};

/** @returns Docker's profile plus the rule for builders */
export function makeProfile(): object {
  const told = execFileSync("go", ["mod", "download", "-json", MODULE], { encoding: "utf8" });
  const { Dir: folder } = JSON.parse(told) as { Dir: string };
  const profile = JSON.parse(readFileSync(join(folder, "default.json"), "utf8")) as { syscalls: object[] };
  return { ...profile, syscalls: [...profile.syscalls, RULE] };
}

if (import.meta.main) {
  const file = join(root, "deploy/seccomp.json");
  writeFileSync(file, await format(JSON.stringify(makeProfile()), { parser: "json", printWidth: 110 }));
}
