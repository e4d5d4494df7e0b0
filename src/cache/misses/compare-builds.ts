/**
 * Maven's Build Cache Extension puts a `buildinfo.xml` next to the files of a build. It lists what the checksum of the inputs
 * was made from:
 *
 *   <item type="file" hash="b5c1…" fileChecksum="…">Basket.java</item>
 *   <item type="dependency" hash="0f7d…">com.acme:prices:jar</item>
 *   <item type="pom" hash="77aa…">…the whole model…</item>
 *
 * https://github.com/apache/maven-build-cache-extension/blob/master/src/main/mdo/build-cache-build.mdo
 */
import type { Difference } from "../contract/misses.ts";
import { compareValues } from "./difference.ts";

const ITEM = /<item ([^<>]*)>([^<]*)<\/item>/g;
const ATTRIBUTE = /(?:^|\s)(\w{1,40})="([^"]*)"/g;
const MAX_ITEMS = 20_000;
/** A longer text is content, not a name. */
const MAX_NAME_LENGTH = 300;

/** @param key `maven/v1.1/<group>/<artifact>/<checksum>/buildinfo.xml`. @returns null for another file */
export function projectOf(key: string): string | null {
  const [project] = /^maven\/.+(?=\/[^/]+\/buildinfo\.xml$)/.exec(key) ?? [];
  return project ?? null;
}

type Kind = string;

/** Hashes by name, by kind. */
function readBuild(xml: string): ReadonlyMap<Kind, ReadonlyMap<string, string>> {
  const kinds = new Map<Kind, Map<string, string>>();
  let count = 0;
  for (const [, attributes = "", text = ""] of xml.matchAll(ITEM)) {
    count += 1;
    if (count > MAX_ITEMS) break;
    const { type: kind = "file", hash = "" } = readAttributes(attributes);
    const name = text.trim();
    const named = kinds.get(kind) ?? new Map<string, string>();
    named.set(name.length > MAX_NAME_LENGTH ? "" : name, hash);
    kinds.set(kind, named);
  }
  return kinds;
}

/** @returns nothing when neither lists its inputs */
export function compareBuilds(before: string, after: string): Difference[] {
  const [one, other] = [readBuild(before), readBuild(after)];
  const kinds = [...new Set([...one.keys(), ...other.keys()])].toSorted();
  const none = new Map<string, string>();
  const differences = kinds.flatMap((kind) =>
    compareValues(kind.slice(0, 40), one.get(kind) ?? none, other.get(kind) ?? none),
  );
  // Hashes explain nothing: an added, removed or changed item does.
  return differences.map((difference) => ({
    ...difference,
    before: difference.before && "there",
    after: difference.after && (difference.before ? "changed" : "there"),
  }));
}

const readAttributes = (text: string): Partial<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(ATTRIBUTE)].map(([, name, value]) => [name, value]));
