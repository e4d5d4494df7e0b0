import { readFile } from "node:fs/promises";

export interface SystemUser {
  name: string;
  id: number;
  /** Its own, not that of a folder: that one may be root's. */
  groupId: number;
}

/** As the machine's own file of users has it; of another directory its number, which every file takes, too. */
export async function findUser(id: number): Promise<SystemUser> {
  const text = await readFile("/etc/passwd", "utf8").catch(() => "");
  const fields = text.split("\n").map((line) => line.split(":"));
  const [name = String(id), , , groupId = id] = fields.find((each) => each[2] === String(id)) ?? [];
  return { name, id, groupId: Number(groupId) };
}
