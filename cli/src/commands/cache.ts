/** `cache usage`, `cache reset`: the caches of build tools, and the layer caches of projects. */
import { CacheNamespaceSchema, LayerCacheSchema } from "../client.ts";
import { CliError, usageError } from "../errors.ts";
import { openProject } from "../find-project.ts";
import { messageRecord, printList } from "../output.ts";
import { type Invocation, openSession } from "../session.ts";
import { cleanText } from "../text.ts";
import { formatSize } from "../units.ts";

export async function showCacheUsage(call: Invocation): Promise<void> {
  if (call.flags.isSet("--project")) return showLayerCache(call);
  const tool = call.flags.text("--tool") ?? "";
  const { api } = await openSession(call);
  // Without a name, it returns all tools.
  const { namespaces } = await api.cache.getUsage({ tool });
  printList(call.terminal, namespaces, {
    format: call.flags.text("--output"),
    columns: [
      { heading: "TOOL", text: (namespace) => namespace.tool },
      { heading: "ENTRIES", text: ({ entries }) => String(entries) },
      { heading: "SIZE", text: ({ sizeBytes }) => formatSize(sizeBytes) },
      { heading: "QUOTA", text: ({ quotaBytes }) => formatSize(quotaBytes) },
      { heading: "HITS", text: ({ hits }) => String(hits) },
      { heading: "MISSES", text: ({ misses }) => String(misses) },
    ],
    record(namespace) {
      // Counts by hour are not requested.
      const { counts: _, ...record } = messageRecord(CacheNamespaceSchema, namespace);
      return record;
    },
  });
}

async function showLayerCache(call: Invocation): Promise<void> {
  if (call.flags.isSet("--tool")) throw differentCaches();
  const { api, projectId } = await openProject(call);
  const { caches } = await api.projects.getCacheUsage({ projectId });
  printList(call.terminal, caches, {
    format: call.flags.text("--output"),
    columns: [
      { heading: "PLATFORM", text: ({ platform }) => platform },
      { heading: "LAYERS", text: ({ layers }) => String(layers) },
      { heading: "SIZE", text: ({ sizeBytes }) => formatSize(sizeBytes) },
      { heading: "QUOTA", text: ({ quotaBytes }) => formatSize(quotaBytes) },
    ],
    record: (cache) => messageRecord(LayerCacheSchema, cache),
  });
}

export async function resetCache(call: Invocation): Promise<void> {
  const { flags, terminal } = call;
  const tool = flags.text("--tool");
  if (tool !== undefined && flags.isSet("--project")) throw differentCaches();
  if (tool !== undefined && flags.isSet("--platform"))
    throw usageError("--platform is for a layer cache and cannot be used with --tool");
  if (!flags.isSet("--yes") && !terminal.isInteractive)
    throw usageError("cannot ask for confirmation here: pass --yes");
  return tool === undefined ? resetLayerCache(call) : resetToolCache(call, tool);
}

async function resetToolCache(call: Invocation, tool: string): Promise<void> {
  const { api } = await openSession(call);
  if (!call.flags.isSet("--yes")) {
    const { organization } = await api.account.whoAmI({});
    await confirm(call, tool, `to empty its cache for everyone in ${cleanText(organization)}`);
  }
  const { freedBytes } = await api.cache.reset({ tool });
  call.terminal.out(`Emptied the cache of ${tool}: ${formatSize(freedBytes)} freed\n`);
}

async function resetLayerCache(call: Invocation): Promise<void> {
  const { api, projectId } = await openProject(call);
  const platform = call.flags.text("--platform") ?? "";
  const { project } = await api.projects.get({ projectId });
  const name = project?.name ?? projectId;
  if (!call.flags.isSet("--yes"))
    await confirm(call, name, "to empty its layer cache: the next build runs every step again");
  const { freedBytes } = await api.projects.resetCache({ projectId, platform });
  call.terminal.out(`Emptied the layer cache of ${cleanText(name)}: ${formatSize(freedBytes)} freed\n`);
}

async function confirm({ terminal }: Invocation, name: string, what: string): Promise<void> {
  const answer = await terminal.ask(`Type ${cleanText(name)} ${what}`, "--yes");
  if (answer !== name) throw new CliError("nothing was removed: the name does not match");
}

const differentCaches = () => usageError("--project and --tool are for different caches: pass one of them");
