/** How to connect a tool, with the same lines as its documentation page; a test compares them. */
import { SET_UPS as MADE } from "./gen/set-ups.ts";

/** `{{origin}}`, `{{host}}` and `{{org}}` are filled in; a secret never is. */
export interface SetUp {
  files: readonly { name: string; text: string }[];
  /** Fills the cache, then reads from it. */
  twice: readonly string[];
  /** The second run's output when something came from the cache. */
  proof: { where: string; mark: string };
}

/** Sets the variable that most of the lines read; same as on the page about tokens. */
export const SET_TOKEN = "export MILLRACE_TOKEN=mr_user_your_token";

/** Whether the lines read the token from the environment without setting it. */
export function readsToken({ files, twice }: SetUp): boolean {
  const lines = [...files.map(({ text }) => text), ...twice].join("\n");
  return lines.includes("MILLRACE_TOKEN") && !lines.includes(SET_TOKEN);
}

interface Place {
  /** `https://build.acme.example` */
  origin: string;
  organization: string;
}

/** gRPC has its own schemes. */
export function fillIn(text: string, { origin, organization }: Place): string {
  const { host, protocol } = new URL(origin);
  return text
    .replaceAll("grpcs://{{host}}", `${protocol === "https:" ? "grpcs" : "grpc"}://${host}`)
    .replaceAll("{{origin}}", origin)
    .replaceAll("{{org}}", organization);
}

export const SET_UPS = new Map<string, SetUp>(Object.entries(MADE));
