/** Every contract that the server speaks, read from the code that was generated from it: a new one is attacked without being named. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DescMessage, DescMethod, DescService } from "@bufbuild/protobuf";
import type { GenFile } from "@bufbuild/protobuf/codegenv2";
import { root } from "#server/pages/build-folders.ts";

export interface Contract {
  methods: DescMethod[];
  /** By the full name of the message. */
  messages: ReadonlyMap<string, DescMessage>;
}

export async function readContract(): Promise<Contract> {
  const files = globSync("src/**/gen/**/*_pb.ts", { cwd: root }).sort();
  const services: DescService[] = [];
  const messages = new Map<string, DescMessage>();
  for (const file of files) {
    const made = (await import(pathToFileURL(join(root, file)).href)) as Record<string, unknown>;
    for (const desc of Object.values(made).filter(isFile)) {
      services.push(...desc.services);
      for (const message of withNested(desc.messages)) messages.set(message.typeName, message);
    }
  }
  return { methods: services.flatMap((service) => service.methods), messages };
}

const isFile = (made: unknown): made is GenFile =>
  typeof made === "object" && made !== null && "kind" in made && made.kind === "file";

const withNested = (messages: readonly DescMessage[]): DescMessage[] =>
  messages.flatMap((message) => [message, ...withNested(message.nestedMessages)]);

/** `/package.Service/Method` */
export const pathOf = ({ parent, name }: DescMethod): string => `/${parent.typeName}/${name}`;
