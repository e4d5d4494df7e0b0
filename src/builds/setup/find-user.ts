import { readFile } from "node:fs/promises";

export interface SystemUser {
  name: string;
  id: number;
  /** The user's own group, not that of a folder, which may belong to root. */
  groupId: number;
}

/** From the machine's own user file; a user of another directory gets the numeric id as name, which all files accept. */
export async function findUser(id: number): Promise<SystemUser> {
  const text = await readFile("/etc/passwd", "utf8").catch(() => "");
  const fields = text.split("\n").map((line) => line.split(":"));
  const [name = String(id), , , groupId = id] = fields.find((each) => each[2] === String(id)) ?? [];
  return { name, id, groupId: Number(groupId) };
}
