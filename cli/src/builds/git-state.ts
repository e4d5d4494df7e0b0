/** The git state of the working directory, shown with the build; no error without git. */
import { execFile } from "node:child_process";

const TIMEOUT_MS = 3000;
const MAX_TITLE = 200;

export interface GitState {
  branch: string;
  commitSha: string;
  /** The subject of the commit. */
  title: string;
}

export function readGitState(folder: string, env: NodeJS.ProcessEnv): Promise<GitState> {
  const args = ["-C", folder, "log", "-1", "--no-show-signature", "--format=%H%x00%D%x00%s"];
  return new Promise((resolve) => {
    execFile(
      "git",
      args,
      { env: { ...env, GIT_OPTIONAL_LOCKS: "0" }, timeout: TIMEOUT_MS },
      (error, stdout) => {
        const [commitSha = "", names = "", title = ""] = error ? [] : stdout.trimEnd().split("\0");
        // A CI job checks out a commit, not a branch; the branch is in its environment.
        const branch = /HEAD -> ([^,]+)/.exec(names)?.[1] ?? env["GITHUB_HEAD_REF"] ?? "";
        resolve({
          commitSha: /^[0-9a-f]{40,64}$/.test(commitSha) ? commitSha : "",
          branch: branch.slice(0, MAX_TITLE),
          title: title.slice(0, MAX_TITLE),
        });
      },
    );
  });
}
