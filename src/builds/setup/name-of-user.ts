import { readFile } from "node:fs/promises";

/** As the machine's own file of users has it; of another directory its number, which every file takes, too. */
export async function nameOfUser(id: number): Promise<string> {
  const text = await readFile("/etc/passwd", "utf8").catch(() => "");
  const line = text.split("\n").find((each) => each.split(":")[2] === String(id));
  return line?.split(":")[0] ?? String(id);
}
