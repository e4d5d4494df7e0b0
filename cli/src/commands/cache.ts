/** `cache usage`, `cache reset`: the cache of a build tool. Layer caches come with the builds that fill them. */
import { CacheNamespaceSchema } from "../client.ts";
import { CliError, usageError } from "../errors.ts";
import { messageRecord, printList } from "../output.ts";
import { type Invocation, openSession } from "../session.ts";
import { cleanText } from "../text.ts";
import { formatStored } from "../units.ts";
import { readVersion } from "../version.ts";

export async function showCacheUsage(call: Invocation): Promise<void> {
  const tool = requireTool(call);
  const { api } = await openSession(call);
  const { namespaces } = await api.cache.getUsage({ tool });
  printList(call.terminal, namespaces, {
    format: call.flags.text("--output"),
    columns: [
      { heading: "TOOL", text: (namespace) => namespace.tool },
      { heading: "ENTRIES", text: ({ entries }) => String(entries) },
      { heading: "SIZE", text: ({ sizeBytes }) => formatStored(sizeBytes) },
      { heading: "QUOTA", text: ({ quotaBytes }) => formatStored(quotaBytes) },
      { heading: "HITS", text: ({ hits }) => String(hits) },
      { heading: "MISSES", text: ({ misses }) => String(misses) },
    ],
    record(namespace) {
      // Counts by hour are not asked for.
      const { counts: _, ...record } = messageRecord(CacheNamespaceSchema, namespace);
      return record;
    },
  });
}

export async function resetCache(call: Invocation): Promise<void> {
  const { flags, terminal } = call;
  const tool = requireTool(call);
  if (flags.isSet("--platform"))
    throw usageError("--platform is about a layer cache, and not used with --tool");
  if (!flags.isSet("--yes") && !terminal.isInteractive)
    throw usageError("nobody can confirm here: pass --yes");
  const { api } = await openSession(call);
  if (!flags.isSet("--yes")) {
    const { organization } = await api.account.whoAmI({});
    const answer = await terminal.ask(
      `Type ${tool} to empty its cache for everyone in ${cleanText(organization)}`,
      "--yes",
    );
    if (answer !== tool) throw new CliError("nothing was removed: the name is another");
  }
  const { freedBytes } = await api.cache.reset({ tool });
  terminal.out(`Emptied the cache of ${tool}: ${formatStored(freedBytes)} freed\n`);
}

function requireTool({ flags, facts }: Invocation): string {
  const tool = flags.text("--tool");
  if (tool !== undefined) {
    if (flags.isSet("--project"))
      throw usageError("--project and --tool are about different caches: pass one");
    return tool;
  }
  const builds = facts.parts["container-builds"] ?? "container builds";
  throw new CliError(
    `this server has no ${builds} yet: millrace ${readVersion()} comes without them. Pass --tool for the cache of a build tool`,
  );
}
