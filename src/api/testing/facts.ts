/** For tests: the API's methods in content/facts/api.yaml. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export type CallerKind = "user" | "organization" | "project" | "job";

/** A method in content/facts/api.yaml. */
export interface MethodFacts {
  /** `ProjectService/List` */
  name: string;
  tokens: readonly CallerKind[];
  isPublic: boolean;
  isStream: boolean;
  isMissing: boolean;
  fields: readonly { name: string; required?: boolean }[];
}

interface ApiFacts {
  services: {
    name: string;
    part: string;
    methods: {
      name: string;
      tokens?: CallerKind[];
      streaming?: boolean;
      request?: { name: string; required?: boolean }[];
    }[];
  }[];
}

/** Parts whose methods exist here. */
const PRESENT = ["api", "cache", "container-builds", "registry"];

export function readMethodFacts(): MethodFacts[] {
  const file = join(import.meta.dirname, "../../../content/facts/api.yaml");
  // The documentation's own checks ensure this form.
  const { services } = parse(readFileSync(file, "utf8")) as ApiFacts;
  return services.flatMap((service) =>
    service.methods.map(({ name: method, tokens = [], streaming = false, request = [] }) => {
      const name = `${service.name}/${method}`;
      const isMissing = !PRESENT.includes(service.part);
      return { name, tokens, isPublic: tokens.length === 0, isStream: streaming, isMissing, fields: request };
    }),
  );
}
