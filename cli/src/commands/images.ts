/** `images list`, `images delete`. */
import { type Image, ImageSchema } from "../client.ts";
import { CliError, usageError } from "../errors.ts";
import { openProject } from "../find-project.ts";
import { formatDay, messageRecord, printList } from "../output.ts";
import type { Invocation } from "../session.ts";
import { cleanText } from "../text.ts";
import { formatSize, parseCount } from "../units.ts";

const PAGE_SIZE = 100;
const MOST_IMAGES = 100_000;
/** `sha256:` and twelve digits. */
export const SHORT_DIGEST_LENGTH = 19;

export const shortDigest = (digest: string): string => cleanText(digest).slice(0, SHORT_DIGEST_LENGTH);

export async function listImages(call: Invocation): Promise<void> {
  const limit = parseCount(call.flags.text("--limit") ?? "20", "--limit", MOST_IMAGES);
  const { projectId, api } = await openProject(call);
  const images: Image[] = [];
  let pageToken = "";
  do {
    const pageSize = Math.min(PAGE_SIZE, limit - images.length);
    const page = await api.images.list({ projectId, pageSize, pageToken });
    images.push(...page.images.slice(0, pageSize));
    pageToken = page.images.length === 0 ? "" : page.nextPageToken;
  } while (pageToken !== "" && images.length < limit);
  printList(call.terminal, images, {
    format: call.flags.text("--output"),
    columns: [
      { heading: "TAGS", text: ({ tags }) => tags.join(", ") || "-" },
      { heading: "DIGEST", text: ({ digest }) => shortDigest(digest) },
      { heading: "PLATFORMS", text: ({ platforms }) => platforms.join(", ") || "-" },
      { heading: "SIZE", text: ({ sizeBytes }) => formatSize(sizeBytes) },
      { heading: "EXPIRES", text: ({ expiresAt }) => formatDay(expiresAt) },
    ],
    record: (image) => messageRecord(ImageSchema, image),
  });
}

export async function deleteImages(call: Invocation): Promise<void> {
  const { flags, positionals, terminal } = call;
  const mayAsk = !flags.isSet("--yes");
  if (mayAsk && !terminal.isInteractive) throw usageError("cannot ask for confirmation here: pass --yes");
  const { projectId, api } = await openProject(call);
  if (mayAsk) {
    const { project } = await api.projects.get({ projectId });
    const what = positionals.map((reference) =>
      reference.includes(":") ? `the image ${reference} with all its tags` : `the tag ${reference}`,
    );
    const answer = await terminal.ask(
      `Delete ${what.join(", ")} of ${cleanText(projectId)} (${cleanText(project?.name ?? "")})?`,
      "--yes",
    );
    if (!/^y(?:es)?$/i.test(answer)) throw new CliError("nothing was deleted: the answer was not yes");
  }
  for (const reference of positionals) {
    await api.images.delete({ projectId, reference });
    terminal.out(`Deleted ${cleanText(reference)}\n`);
  }
}
