/** For tests: the API's methods, with what their options in `proto/` say. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type DescService, getOption } from "@bufbuild/protobuf";
import { parse } from "yaml";
import { part, required, rule } from "../gen/millrace/options/v1/options_pb.ts";
import { createMethodTable } from "../methods.ts";

export type CallerKind = "user" | "organization" | "project" | "job";

export interface MethodFacts {
  /** `ProjectService/List` */
  name: string;
  tokens: readonly CallerKind[];
  isPublic: boolean;
  isStream: boolean;
  isMissing: boolean;
  fields: readonly { name: string; required: boolean }[];
}

const partsFile = join(import.meta.dirname, "../../../content/facts/parts.yaml");
// The documentation's own checks ensure this form.
const { parts } = parse(readFileSync(partsFile, "utf8")) as {
  parts: { id: string; name: string; state: string }[];
};

/** The part of the service that it belongs to, and whether that part is still to come. */
export function partOf(service: DescService): { name: string; isMissing: boolean } {
  const { name, state } = parts.find(({ id }) => id === getOption(service, part))!;
  return { name, isMissing: state === "preview" };
}

/** In the order of the contract, sorted by service. */
export function readMethodFacts(): MethodFacts[] {
  const services = new Set([...createMethodTable().values()].map(({ desc }) => desc.parent));
  return [...services]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((service) => service.methods)
    .map((method) => {
      // `contract.test.ts` ensures that these kinds exist.
      const tokens = getOption(method, rule).tokens as CallerKind[];
      return {
        name: `${method.parent.name}/${method.name}`,
        tokens,
        isPublic: tokens.length === 0,
        isStream: method.methodKind !== "unary",
        isMissing: partOf(method.parent).isMissing,
        fields: method.input.fields.map((field) => ({
          name: field.name,
          required: getOption(field, required),
        })),
      };
    });
}
