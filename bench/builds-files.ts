/**
 * The cost of following which files clients send, without a builder or a network: CPU of this process for one large file and for
 * many small files, as BuildKit's clients write them.
 *
 *   node bench/builds-files.ts --megabytes 400 --runs 5
 */
import { parseArgs } from "node:util";
import { readSession, writeSession } from "../tests/clients/builds/session-stage.ts";

const { values } = parseArgs({
  options: { megabytes: { type: "string", default: "400" }, runs: { type: "string", default: "5" } },
});
const MB = 1_000_000;

async function measure(name: string, files: number, bytes: number): Promise<void> {
  const chunks = await writeSession(files, bytes);
  for (let run = 0; run < Number(values.runs); run += 1) {
    const before = process.cpuUsage();
    const known = readSession(chunks);
    const { user, system } = process.cpuUsage(before);
    const megabytes = ((files * bytes) / MB).toFixed(0);
    const cpu = ((user + system) / 1000).toFixed(0);
    console.log(
      `${name}\t${megabytes} MB\tCPU ${cpu} ms\t${known.files} files, contents of ${known.contents}`,
    );
  }
}

await measure("one file", 1, Number(values.megabytes) * MB);
await measure("files of 4 MB", Number(values.megabytes) / 4, 4 * MB);
await measure("files of 2 KB", 20_000, 2000);
