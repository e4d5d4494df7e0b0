import type { LatestEvent } from "../overview/first-run.ts";
import type { CacheTool } from "./tools.ts";

/** A request that the server refused at a tool's address. */
export interface Refusal {
  id: string;
  /** RFC 3339. */
  at: string;
  /** 401: unknown caller; 403: the caller may not do this. */
  status: number;
  /** `/cache/gradle/`, or `gRPC`, the address of several tools. */
  endpoint: string;
  text: string;
  /** `refused.project` */
  kind: string;
}

const TOLD = /^(401|403) (\/cache\/[a-z]+\/|gRPC) (.+)$/su;

/** @returns null for any other event */
export function readRefusal({ id, at, kind, text, refused }: LatestEvent): Refusal | null {
  const [, status, endpoint, rest] = (refused && TOLD.exec(text ?? "")) || [];
  if (!status || !endpoint || !rest) return null;
  return { id, at, kind, status: Number(status), endpoint, text: rest };
}

export const refusalsOf = (
  refusals: readonly Refusal[],
  { id, grpc }: Pick<CacheTool, "id" | "grpc">,
): Refusal[] =>
  refusals.filter(({ endpoint }) => endpoint === `/cache/${id}/` || (grpc && endpoint === "gRPC"));

export interface Advice {
  title: string;
  text: string;
}

const ENDED: Advice = {
  title: "The last request was refused.",
  text: "The line above says why: the token is no longer valid, or it is read-only.",
};

const ADVICE = new Map<string, Advice>(
  Object.entries({
    "refused.project": {
      title: "Project tokens may not use the cache.",
      text: "The cache belongs to the whole organization. Use a user, organization or job token.",
    },
    "refused.none": {
      title: "The last request had no token.",
      text: "The tool reaches this server. Check that MILLRACE_TOKEN is set where the build runs.",
    },
    "refused.unknown": {
      title: "This server does not know the token of the last request.",
      text: "Check that it was copied completely and was created on this server.",
    },
    "refused.user": ENDED,
    "refused.org": ENDED,
    "refused.job": {
      title: "The job of the last request may not do this.",
      text: "The trust relationship of its project says what jobs may do to the cache.",
    },
  }),
);

/** Advice for a refusal. */
export const adviceFor = ({ kind }: Refusal): Advice | undefined => ADVICE.get(kind);
