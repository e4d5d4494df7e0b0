import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import type { SeenFile } from "../explain/types.ts";
import { Unreadable } from "./unreadable.ts";

/** fsutil's `Stat`. Owners are left out: BuildKit ignores them in client folders. */
export function readStat(bytes: Uint8Array): { path: string; file: SeenFile } {
  const file: SeenFile = { mode: 0, size: 0, modifiedAt: "0", link: "", digest: null };
  let path = "";
  try {
    const reader = new BinaryReader(bytes);
    while (reader.pos < bytes.length) {
      const [field, type] = reader.tag();
      if (field === 1 && type === WireType.LengthDelimited) path = reader.string();
      else if (field === 2 && type === WireType.Varint) file.mode = reader.uint32();
      else if (field === 5 && type === WireType.Varint) file.size = Number(reader.int64());
      else if (field === 6 && type === WireType.Varint) file.modifiedAt = String(reader.int64());
      else if (field === 7 && type === WireType.LengthDelimited) file.link = reader.string();
      else reader.skip(type, field);
    }
  } catch (cause) {
    throw new Unreadable("the description of a file cannot be read", { cause });
  }
  return { path, file };
}
