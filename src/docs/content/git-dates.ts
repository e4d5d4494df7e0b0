import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** File (relative to `root`) → date of its last commit, `YYYY-MM-DD`. Empty outside git; one call for all files. */
export async function lastCommitDates(root: string, folder: string): Promise<Map<string, string>> {
  const dates = new Map<string, string>();
  let log: string;
  try {
    const options = { cwd: root, maxBuffer: 64 * 1024 * 1024 };
    const format = [
      "-c",
      "core.quotePath=false",
      "log",
      "--format=%x00%cs",
      "--name-only",
      "--relative",
      "--",
      folder,
    ];
    log = (await promisify(execFile)("git", format, options)).stdout;
  } catch {
    // Without git or a repository, the pages have no date.
    return dates;
  }
  // Newest first, so the first commit that names a file is its last commit.
  for (const commit of log.split("\0")) {
    const [date = "", ...files] = commit.split("\n");
    for (const file of files) if (file !== "" && !dates.has(file)) dates.set(file, date);
  }
  return dates;
}
