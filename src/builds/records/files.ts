/**
 * The files that the clients of a build reported to its builders: stored compressed for the newest builds of a project, so that an
 * explanation can name the file that changed.
 */
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { z } from "zod";
import type { ContextFiles, SeenFile } from "../explain/types.ts";
import { FILES_KEPT_BUILDS, FILES_READ_BUILDS, MAX_FILES_BYTES } from "../contract/limits.ts";
import type { BuildParts } from "../contract/parts.ts";
import type { BuildRow } from "./read-build.ts";

type Parts = Pick<BuildParts, "database" | "log">;
type Folders = Readonly<Record<string, ContextFiles>>;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** If this fails, the build is explained without the names of files. */
export async function keepFiles(
  { database, log }: Parts,
  { id, project_id: projectId }: Pick<BuildRow, "id" | "project_id">,
  folders: Folders,
): Promise<void> {
  if (Object.values(folders).every(({ files }) => files.size === 0)) return;
  const { db } = database;
  try {
    const kept = await db
      .selectFrom("build_files")
      .innerJoin("builds", "builds.id", "build_files.build_id")
      .select("build_files.build_id")
      .where("builds.project_id", "=", projectId)
      .orderBy("builds.created_at", "desc")
      .limit(FILES_KEPT_BUILDS * 2)
      .execute();
    const ids = kept.map((row) => row.build_id);
    for (const before of ids.slice(0, FILES_READ_BUILDS)) fillIn(folders, await readFiles(database, before));
    const data = await deflate(JSON.stringify(packFolders(folders)), { level: 1 });
    await db.insertInto("build_files").values({ build_id: id, data }).execute();
    const old = ids.slice(FILES_KEPT_BUILDS - 1);
    if (old.length > 0) await db.deleteFrom("build_files").where("build_id", "in", old).execute();
  } catch (error) {
    log.warn("Could not store which files a build read.", { build: id, error });
  }
}

/** A builder does not request a file that it has: its content is then that of the build before. */
function fillIn(folders: Folders, before: Folders | null): void {
  for (const [name, { files }] of Object.entries(folders)) {
    const folder = before && Object.hasOwn(before, name) ? before[name] : undefined;
    for (const [path, file] of files) {
      const known = file.digest === null ? folder?.files.get(path) : undefined;
      if (known?.size === file.size && known.modifiedAt === file.modifiedAt) file.digest = known.digest;
    }
  }
}

/** @returns null: not known */
export async function readFiles({ db }: Parts["database"], buildId: string): Promise<Folders | null> {
  const row = await db
    .selectFrom("build_files")
    .select("data")
    .where("build_id", "=", buildId)
    .executeTakeFirst();
  if (!row) return null;
  const text = (await inflate(row.data, { maxOutputLength: MAX_FILES_BYTES })).toString();
  return unpackFolders(packed.parse(JSON.parse(text)));
}

const packedFile = z.tuple([
  z.string(),
  z.number(),
  z.number(),
  z.string(),
  z.string(),
  z.string().nullable(),
]);
/** Pairs: a folder may have any name. */
const packed = z.array(
  z.object({ name: z.string(), isWhole: z.boolean(), files: z.array(packedFile) }).strict(),
);
type Packed = z.infer<typeof packed>;

const packFolders = (folders: Folders): Packed =>
  Object.entries(folders).map(([name, { files, isWhole }]) => ({
    name,
    isWhole,
    files: [...files].map(([path, file]) => [
      path,
      file.mode,
      file.size,
      file.modifiedAt,
      file.link,
      file.digest,
    ]),
  }));

const unpackFolders = (folders: Packed): Folders =>
  Object.fromEntries(
    folders.map(({ name, isWhole, files }) => [
      name,
      {
        isWhole,
        files: new Map(
          files.map(([path, mode, size, modifiedAt, link, digest]): [string, SeenFile] => [
            path,
            { mode, size, modifiedAt, link, digest },
          ]),
        ),
      },
    ]),
  );
