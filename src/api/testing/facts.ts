/** For tests: the API's methods, as content/facts/api.yaml has them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export type CallerKind = "user" | "organization" | "project" | "job";

/** What content/facts/api.yaml says of a method. */
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

/** Parts whose methods answer here. */
const PRESENT = ["api", "cache", "container-builds", "registry"];

export function readMethodFacts(): MethodFacts[] {
  const file = join(import.meta.dirname, "../../../content/facts/api.yaml");
  // The documentation's own checks hold the file to this form.
  const { services } = parse(readFileSync(file, "utf8")) as ApiFacts;
  return services.flatMap((service) =>
    service.methods.map(({ name: method, tokens = [], streaming = false, request = [] }) => {
      const name = `${service.name}/${method}`;
      const isMissing = !PRESENT.includes(service.part);
      return { name, tokens, isPublic: tokens.length === 0, isStream: streaming, isMissing, fields: request };
    }),
  );
}
