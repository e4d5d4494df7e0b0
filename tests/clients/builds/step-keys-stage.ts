/** A `buildkitd` of its own, and buildx, which reports for each step whether it came from the layer cache. */
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { BaseImage } from "./base-image.ts";
import { startBuildkitd } from "./start-buildkitd.ts";

const run = promisify(execFile);

export interface StepKeysStage {
  /** The build context: its files are sent unchanged. */
  context: string;
  /** @param path below the context */
  write: (path: string, text: string) => void;
  /**
   * @param lines of the Dockerfile; `FROM base` is an image with a shell
   * @returns the instructions of steps that ran, in the order of the Dockerfile; those from the layer cache are left out
   */
  build: (lines: readonly string[], ...flags: string[]) => Promise<string[]>;
  close: () => Promise<void>;
}

interface StepKeysTools {
  /** Folder of `buildkitd`. */
  programs: string;
  buildx: string;
  base: BaseImage;
  /** Created new, on a disk whose files can be laid over each other. */
  folder: string;
}

export async function openStepKeysStage({
  programs,
  buildx,
  base,
  folder,
}: StepKeysTools): Promise<StepKeysStage> {
  const [context, daemon] = [join(folder, "context"), join(folder, "daemon")];
  for (const each of [context, daemon]) mkdirSync(each, { recursive: true });
  const buildkitd = await startBuildkitd(programs, daemon, "");
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, BUILDX_CONFIG: join(folder, "buildx") };
  await run(buildx, ["create", "--name", "keys", "--driver", "remote", buildkitd.address], { env });
  return {
    context,
    write(path, text) {
      mkdirSync(join(context, path, ".."), { recursive: true });
      writeFileSync(join(context, path), text);
    },
    async build(lines, ...flags) {
      const file = join(folder, "Dockerfile");
      writeFileSync(file, `${lines.join("\n")}\n`);
      const from = ["--build-context", `base=oci-layout://${base.folder}@${base.digest}`];
      const args = ["build", "--builder", "keys", "--progress", "rawjson", "--file", file, ...from];
      const { stderr } = await run(buildx, [...args, ...flags, context], { env, maxBuffer: 50_000_000 });
      return stepsThatRan(stderr);
    },
    async close() {
      await buildkitd.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Vertex {
  digest: string;
  name: string;
  cached?: boolean;
}

/** @param log of buildx' `rawjson` */
function stepsThatRan(log: string): string[] {
  const steps = new Map<string, Vertex>();
  for (const line of log.split("\n")) {
    if (!line.startsWith("{")) continue;
    const { vertexes = [] } = JSON.parse(line) as { vertexes?: Vertex[] };
    for (const vertex of vertexes) steps.set(vertex.digest, vertex);
  }
  // `[build 2/5] COPY a.txt ./`
  return [...steps.values()]
    .flatMap(({ name, cached }) => {
      const [, step, text] = /^\[(?:\S+ )?(\d+)\/\d+\] (.*)$/.exec(name) ?? [];
      return text !== undefined && cached !== true && !text.startsWith("FROM ") ? [{ step, text }] : [];
    })
    .sort((a, b) => Number(a.step) - Number(b.step))
    .map(({ text }) => text);
}
