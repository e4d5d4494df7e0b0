/** `push`: another tag of an image, a copy of it elsewhere, or images of an archive. */
import { CliError, usageError } from "../errors.ts";
import { copyImage, type ImageSource } from "../registry/copy-image.ts";
import { findLogin } from "../registry/docker-config.ts";
import { type ImageName, isTag, parseImageName, showImageName } from "../registry/image-name.ts";
import type { Manifest } from "../registry/manifest.ts";
import { findProjectRepository, optionsOf, type ProjectRepository } from "../registry/project-repository.ts";
import { openArchive } from "../registry/read-archive.ts";
import { openRemoteImage, type RemoteImage } from "../registry/remote-image.ts";
import type { Invocation } from "../session.ts";
import { cleanText } from "../text.ts";
import { shortDigest } from "./images.ts";

/** The target of an image. */
type Destination = { kind: "tag"; tag: string } | { kind: "name"; name: ImageName };

export async function push(call: Invocation): Promise<void> {
  const input = call.flags.text("--input");
  const [reference] = call.positionals;
  const destinations = call.flags.texts("--tag").map(readDestination);
  if (input !== undefined) {
    if (reference !== undefined) throw usageError("the images come from --input: leave out the tag or build");
    return pushArchive(call, input, destinations);
  }
  if (reference === undefined) throw usageError(`tag | build is missing: ${call.command.synopsis}`);
  if (destinations.length === 0) throw usageError(`--tag is missing: ${call.command.synopsis}`);
  const repository = await findProjectRepository(call);
  let source: { image: RemoteImage; manifest: Manifest } | undefined;
  for (const destination of destinations) {
    const own = tagOf(destination, repository);
    if (own !== undefined) {
      const { image } = await repository.session.api.images.tag({
        projectId: repository.projectId,
        reference,
        tag: own,
      });
      call.terminal.out(
        `${cleanText(reference)} is now ${own}: ${cleanText(shortDigest(image?.digest ?? ""))}\n`,
      );
      continue;
    }
    source ??= await openSource(call, repository, reference);
    await copyTo(call, repository, { source: source.image, manifest: source.manifest, destination });
  }
}

/** A name without a registry and a path is a tag of the same project. */
function readDestination(text: string): Destination {
  if (isTag(text)) return { kind: "tag", tag: text };
  return { kind: "name", name: parseImageName(text, "--tag") };
}

/** @returns undefined for a destination in another repository */
function tagOf(destination: Destination, { host, path }: ProjectRepository): string | undefined {
  if (destination.kind === "tag") return destination.tag;
  const { name } = destination;
  return name.host === host && name.path === path ? name.tag : undefined;
}

async function openSource(call: Invocation, repository: ProjectRepository, reference: string) {
  const { api } = repository.session;
  // It finds build ids, tags and the beginnings of digests, and its errors are those of the API.
  const { image: found } = await api.images.get({ projectId: repository.projectId, reference });
  if (!found) throw new CliError("the server sent no image");
  const image = openRemoteImage(optionsOf(call, repository, repository.path, { actions: "pull" }));
  return { image, manifest: await image.readManifest(found.digest) };
}

interface Copy {
  source: ImageSource;
  manifest: Manifest;
  destination: Destination;
}

async function copyTo(
  call: Invocation,
  repository: ProjectRepository,
  { source, manifest, destination }: Copy,
) {
  const { host, path } = repository;
  const name = destination.kind === "name" ? destination.name : { host, path, tag: destination.tag };
  const target =
    name.host === host
      ? openRemoteImage(optionsOf(call, repository, name.path, { actions: "pull,push", mountFrom: path }))
      : await openElsewhere(call, name);
  await copyImage(source, target, { manifest, tags: [name.tag] });
  call.terminal.out(`${showImageName(name)}@${cleanText(manifest.digest)}\n`);
}

async function openElsewhere({ env }: Invocation, { host, path }: ImageName): Promise<RemoteImage> {
  const login = await findLogin(env, host);
  return openRemoteImage({ origin: originOf(host), path, login, env, actions: "pull,push" });
}

/** Like Docker: plain HTTP only on this machine. */
function originOf(host: string): string {
  if (host === "docker.io") return "https://registry-1.docker.io";
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/.test(host)
    ? `http://${host}`
    : `https://${host}`;
}

async function pushArchive(
  call: Invocation,
  path: string,
  destinations: readonly Destination[],
): Promise<void> {
  const archive = await openArchive(path);
  try {
    const { images } = archive;
    if (destinations.length > 0 && images.length > 1)
      throw usageError(`${path} has ${images.length} images with tags of their own: leave out --tag`);
    const unnamed = images.find(({ tag }) => destinations.length === 0 && !isTag(tag));
    if (unnamed)
      throw usageError(`${path} has an image without a tag, ${unnamed.descriptor.digest}: pass --tag`);
    const repository = await findProjectRepository(call);
    for (const { descriptor, tag } of images) {
      const manifest = await archive.readManifest(descriptor.digest);
      const named: Destination[] = destinations.length > 0 ? [...destinations] : [{ kind: "tag", tag }];
      for (const destination of named)
        await copyTo(call, repository, { source: archive, manifest, destination });
    }
  } finally {
    await archive.close();
  }
}
