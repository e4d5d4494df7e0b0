import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Resolves with what it printed when that has `text`, or when it has ended. */
export async function saying(child: ChildProcess, text: string): Promise<string> {
  let output = "";
  const said = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        output += String(chunk);
        if (output.includes(text)) resolve();
      });
  });
  await Promise.race([said, once(child, "close")]);
  if (child.exitCode !== null && text !== "") throw new Error(`It ended with ${child.exitCode}:\n${output}`);
  return output;
}
