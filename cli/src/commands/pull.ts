/** `pull`: images into the local Docker, or into an archive that needs no Docker. */
import { CliError, usageError } from "../errors.ts";
import { copyImage } from "../registry/copy-image.ts";
import { openLocalDocker } from "../docker/local-docker.ts";
import { type Manifest, readReferences } from "../registry/manifest.ts";
import { findImageRepository, optionsOf, type ProjectRepository } from "../registry/project-repository.ts";
import { openRemoteImage, type RemoteImage } from "../registry/remote-image.ts";
import { createArchive } from "../registry/write-archive.ts";
import type { Invocation } from "../session.ts";
import { cleanText } from "../text.ts";
import { formatSize } from "../units.ts";

export async function pull(call: Invocation): Promise<void> {
  const { flags, positionals } = call;
  const output = flags.text("--output");
  if (output !== undefined) {
    if (flags.isSet("--tag")) throw usageError("--tag is a name in Docker and cannot be used with --output");
    return pullToArchive(call, output);
  }
  const names = flags.texts("--tag");
  if (names.length > 0 && positionals.length > 1)
    throw usageError("--tag is for one image: pull the images one at a time");
  const docker = await openLocalDocker(call.env);
  const repository = await findImageRepository(call, positionals[0]!);
  for (const reference of positionals) {
    const name = `${repository.host}/${repository.path}${await nameOf(repository, reference)}`;
    await docker.pull(name, {
      host: repository.host,
      token: repository.credential.token,
      platform: flags.text("--platform"),
    });
    for (const local of names) await docker.tag(name, local);
    call.terminal.out(`Pulled ${cleanText([name, ...names.slice(0, 1)].join(" as "))}\n`);
    for (const local of names.slice(1)) call.terminal.out(`Pulled ${cleanText(`${name} as ${local}`)}\n`);
  }
}

/** `:staging`, or `@sha256:…` for the beginning of a digest. */
async function nameOf({ session, projectId }: ProjectRepository, reference: string): Promise<string> {
  const { image } = await session.api.images.get({ projectId, reference });
  if (!image) throw new CliError("the server sent no image");
  return reference.includes(":") ? `@${image.digest}` : `:${reference}`;
}

async function pullToArchive(call: Invocation, path: string): Promise<void> {
  const repository = await findImageRepository(call, call.positionals[0]!);
  const source = openRemoteImage(optionsOf(call, repository, repository.path, { actions: "pull" }));
  const archive = await createArchive(path);
  try {
    for (const reference of call.positionals) {
      const name = await nameOf(repository, reference);
      const manifest = await choosePlatform(source, name.slice(1), call.flags.text("--platform"));
      await copyImage(source, archive, { manifest, tags: [undefined] });
      const tag = name.startsWith(":") ? reference : "";
      archive.addImage(manifest, { whole: `${repository.host}/${repository.path}${name}`, tag });
    }
    await archive.finish();
  } catch (error) {
    await archive.abort();
    throw error;
  }
  const { size } = await (await import("node:fs/promises")).stat(path);
  call.terminal.out(
    `Wrote ${path} with ${call.positionals.map(cleanText).join(", ")} (${formatSize(BigInt(size))})\n`,
  );
}

/** @throws CliError when the image has no such platform */
async function choosePlatform(
  source: RemoteImage,
  reference: string,
  platform: string | undefined,
): Promise<Manifest> {
  const manifest = await source.readManifest(reference);
  if (platform === undefined) return manifest;
  const { manifests } = readReferences(manifest);
  if (manifests.length === 0) return manifest;
  const chosen = manifests.find((each) => each.platform === platform);
  if (chosen) return source.readManifest(chosen.digest);
  const known = manifests
    .map((each) => each.platform)
    .filter((each) => each !== "" && !each.startsWith("unknown"));
  throw new CliError(
    `${cleanText(reference)} is not available for ${platform}, only for: ${cleanText(known.join(", "))}`,
  );
}
