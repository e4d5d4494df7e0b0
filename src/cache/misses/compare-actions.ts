/**
 * Bazel, moonrepo and Pants upload the Action and its Command with the result: the key of the result is the hash of the
 * Action, which names the Command and the tree of inputs.
 *
 *   ac/<hash> ─► cas/<hash>: Action ─► cas/<hash>: Command
 */
import { createHash } from "node:crypto";
import { decodeCounted } from "#platform/grpc/count-fields.ts";
import { readDigest } from "../messages/digests.ts";
import {
  type Action,
  ActionSchema,
  type Command,
  CommandSchema,
  type Platform,
} from "../messages/gen/reapi/remote_execution_pb.ts";
import type { Difference } from "../contract/misses.ts";
import { compareLists, compareValues } from "./difference.ts";

export interface ReadAction {
  action: Action;
  command: Command;
}

/** Bytes of `cas/<hash>`; null when they are missing. */
export type ReadContent = (key: string) => Promise<Uint8Array | null>;

/** @param key `ac/<hash>`. @returns null when it was not uploaded, or is not an Action */
export async function readAction(key: string, read: ReadContent): Promise<ReadAction | null> {
  const bytes = await read(key.replace(/^ac\//, "cas/"));
  try {
    const action = bytes && decodeCounted(ActionSchema, bytes);
    const named = action && readDigest(action.commandDigest);
    const command = named && (await read(`cas/${named.hash}`));
    return action && command ? { action, command: decodeCounted(CommandSchema, command) } : null;
  } catch {
    return null;
  }
}

/** The same for the same outputs, whatever they are made from; null: there are none. */
export function workOf({ command }: ReadAction): string | null {
  const outputs = outputsOf(command);
  if (outputs.length === 0) return null;
  return hashOf("outputs", [command.workingDirectory, ...outputs]);
}

/**
 * The same for the same kind of work on the same target; null: the tool did not say.
 * @param scope if names are unique only within a project
 */
export function taskOf(
  { target, mnemonic }: { target: string; mnemonic: string },
  ...scope: readonly string[]
): string | null {
  return target === "" && mnemonic === "" ? null : hashOf("task", [target, mnemonic, ...scope]);
}

export function compareActions(before: ReadAction, after: ReadAction): Difference[] {
  const differences = [
    ...compareLists("argument", before.command.arguments, after.command.arguments),
    ...compareValues("environment", environmentOf(before.command), environmentOf(after.command)),
    ...compareValues("platform", platformOf(before), platformOf(after)),
    ...compareLists("output", outputsOf(before.command), outputsOf(after.command)),
    ...compareValues(
      "working directory",
      new Map([["", before.command.workingDirectory]]),
      new Map([["", after.command.workingDirectory]]),
    ),
  ];
  // Hashes of trees explain nothing.
  if (before.action.inputRootDigest?.hash !== after.action.inputRootDigest?.hash)
    differences.push({ kind: "inputs", name: "", before: "", after: "" });
  if (differences.length === 0) differences.push({ kind: "other", name: "", before: "", after: "" });
  return differences;
}

const outputsOf = ({ outputPaths, outputFiles, outputDirectories }: Command) =>
  (outputPaths.length > 0 ? outputPaths : [...outputFiles, ...outputDirectories]).toSorted();

const environmentOf = ({ environmentVariables }: Command) =>
  new Map(environmentVariables.map(({ name, value }) => [name, value]));

/** Newer tools put it in the Action, older ones in the Command. */
function platformOf({ action, command }: ReadAction): Map<string, string> {
  const { properties }: Pick<Platform, "properties"> = action.platform ??
    command.platform ?? { properties: [] };
  return new Map(properties.map(({ name, value }) => [name, value]));
}

const hashOf = (kind: string, texts: readonly string[]) =>
  createHash("sha256")
    .update(JSON.stringify([kind, ...texts]))
    .digest("hex")
    .slice(0, 32);
