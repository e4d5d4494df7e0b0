/**
 * A release of the checked-out commit. The same commit, key, Node.js and npm give the same bytes:
 *
 *   millrace-0.1.0.tar.gz              the repository's files and a complete build; npm installs packages from the lock files
 *   millrace-0.1.0-1a2b3c4d.tgz        the command-line tool, as the server serves it
 *   millrace-0.1.0.cdx.json            every package, with version, licence and checksum (CycloneDX)
 *   millrace-0.1.0.intoto.json         which files were made from which sources (SLSA provenance), signed
 *   SHA256SUMS, SHA256SUMS.sig         checksums of all of them, signed
 */
import { createHash, type KeyObject } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { cacheFolder, root } from "#server/pages/build-folders.ts";
import packageJson from "../../package.json" with { type: "json" };
import { UserError } from "#platform/environment/user-error.ts";
import { packFolder } from "./pack-folder.ts";
import { describeProvenance, type Subject } from "./provenance.ts";
import { type NamedImage, readImageDigest } from "./read-image-digest.ts";
import { type Commit, requireCommit, unpackCommit } from "./read-commit.ts";
import { runProgram } from "./run-program.ts";
import { listPackages } from "./list-packages.ts";
import { signBytes, signStatement } from "./sign.ts";

const NAME = `millrace-${packageJson.version}`;

export interface ReleaseOptions {
  /** The destination folder of the release's files. */
  into: string;
  key: KeyObject;
  /** Made elsewhere; the provenance also names their digests. */
  images: NamedImage[];
}

/** @returns the files, as absolute paths. @throws UserError when the checkout has changes or a program is missing. */
export async function makeRelease({ into, key, images }: ReleaseOptions): Promise<string[]> {
  const commit = await requireCommit();
  const subjects = await Promise.all(images.map(readImageDigest));
  await requireEmpty(into);
  // In the project's folder, because a build's output resolves packages from its own place.
  const draft = join(cacheFolder, "release");
  const folder = join(draft, NAME);
  await rm(draft, { recursive: true, force: true });
  try {
    await unpackCommit(commit, folder);
    await buildInto(join(folder, "build"), commit.time);
    await packFolder(folder, { file: join(into, `${NAME}.tar.gz`), time: commit.time });
    await copyCli(join(folder, "build/cli/cli"), into);
    await writeFile(join(into, `${NAME}.cdx.json`), await listPackages(commit));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await sealRelease({ into, key, commit, subjects });
  return (await readdir(into)).toSorted().map((file) => join(into, file));
}

interface SealOptions extends Pick<ReleaseOptions, "into" | "key"> {
  commit: Commit;
  /** Images, which are not in the folder. */
  subjects: Subject[];
}

/** Adds the signed checksums and provenance to a release's files. */
export async function sealRelease({ into, key, commit, subjects }: SealOptions): Promise<void> {
  const made = await hashFiles(into);
  const provenance = await describeProvenance({ commit, subjects: [...made, ...subjects] });
  await writeFile(join(into, `${NAME}.intoto.json`), signStatement(provenance, key));
  const sums = (await hashFiles(into)).map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
  await writeFile(join(into, "SHA256SUMS"), sums);
  await writeFile(join(into, "SHA256SUMS.sig"), signBytes(Buffer.from(sums), key));
}

async function requireEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0)
    throw new UserError(
      `${folder} is not empty: move the previous release away, or name a different folder with --into.`,
    );
}

/** @param time of the commit, in seconds: the date for everything that the build dates */
async function buildInto(folder: string, time: number): Promise<void> {
  await runProgram(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/build.ts"], {
    cwd: root,
    env: { ...process.env, BUILD_DIR: folder, SOURCE_DATE_EPOCH: String(time) },
  });
  await rm(join(folder, "lock"), { force: true });
}

/** Under its unique name. */
async function copyCli(folder: string, into: string): Promise<void> {
  const archive = (await readdir(folder)).find((file) => /^millrace-.+\.tgz$/.test(file));
  if (archive === undefined) throw new Error(`There is no packed CLI in ${folder}.`);
  await copyFile(join(folder, archive), join(into, archive));
}

async function hashFiles(folder: string): Promise<Subject[]> {
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const hash = createHash("sha256");
      await pipeline(createReadStream(join(folder, name)), hash);
      return { name, sha256: hash.digest("hex") };
    }),
  );
}
