/** What the organization's people should look at, from data that the page has read. The most urgent first. */
import type { Build, Exchange, Member, Token } from "#api/gen/json-types.ts";
import { cutText } from "../../format.ts";
import { titleOf } from "../builds/build-words.ts";
import { describeDifference } from "../projects/exchange-words.ts";
import { findFailing } from "./recent-builds.ts";

const DAY_MS = 86_400_000;
/** How long a refused job is news. */
const REFUSED_FOR_MS = 7 * DAY_MS;
const ENDS_WITHIN_MS = 7 * DAY_MS;
const UNUSED_FOR_DAYS = 60;

export interface LookItem {
  key: string;
  kind: "build" | "refused" | "token" | "people";
  title: string;
  detail: string;
  /** Below `/app/<organization>`; an absolute address begins with a slash. */
  to: string;
  /** RFC 3339: since when, if known. */
  at?: string;
}

export interface LookInput {
  /** Milliseconds since 1970. */
  now: number;
  userId: string;
  isOwner: boolean;
  members?: readonly Member[] | undefined;
  tokens?: readonly Token[] | undefined;
  /** Newest first. */
  exchanges?: readonly Exchange[] | undefined;
  /** Newest first. */
  builds?: readonly Build[] | undefined;
  projectNames: ReadonlyMap<string, string>;
}

export function findNeedsALook(input: LookInput): LookItem[] {
  return [
    ...findBuilds(input),
    ...findRefused(input),
    ...findEnding(input),
    ...findPeople(input),
    ...findUnused(input),
  ];
}

/** How long a failed build is news, unless its branch has a later one. */
const FAILED_FOR_MS = 7 * DAY_MS;
const MOST_FAILED = 3;
const MAX_CAUSE = 160;

function findBuilds({ now, builds = [] }: LookInput): LookItem[] {
  return findFailing(builds)
    .filter(({ created_at }) => now - timeOf(created_at) <= FAILED_FOR_MS)
    .slice(0, MOST_FAILED)
    .map((build) => ({
      key: `build ${build.id}`,
      kind: "build",
      title: `${build.project}: ${titleOf(build)}`,
      detail: cutText(build.error, MAX_CAUSE) || "The build failed.",
      to: `builds/${build.id}`,
      ...(build.created_at && { at: build.created_at }),
    }));
}

/** One entry for each project: the newest refusal of a job that has not succeeded since. */
function findRefused({ now, exchanges = [], projectNames }: LookInput): LookItem[] {
  const letIn = new Set<string>();
  const refused = new Map<string, Exchange[]>();
  for (const exchange of exchanges) {
    const job = `${exchange.project_id} ${exchange.issuer} ${exchange.subject}`;
    if (exchange.refused_because === "") letIn.add(job);
    else if (!letIn.has(job) && now - timeOf(exchange.time) <= REFUSED_FOR_MS)
      refused.set(exchange.project_id, [...(refused.get(exchange.project_id) ?? []), exchange]);
  }
  return [...refused].map(([projectId, [newest, ...others]]) => {
    const name = projectNames.get(projectId) ?? projectId;
    return {
      key: `refused ${projectId}`,
      kind: "refused",
      title:
        others.length > 0
          ? `${others.length + 1} jobs of ${name} were refused a token`
          : `A job of ${name} was refused a token`,
      detail: newest ? describeDifference(newest) : "",
      to: `projects/${encodeURIComponent(name)}?row=${newest?.id ?? ""}`,
      ...(newest?.time && { at: newest.time }),
    };
  });
}

function findEnding({ now, tokens = [] }: LookInput): LookItem[] {
  const ending = tokens.filter(({ type, expires_at }) => {
    const left = timeOf(expires_at) - now;
    return type !== "user" && left > 0 && left <= ENDS_WITHIN_MS;
  });
  const [first] = ending.toSorted((one, other) => timeOf(one.expires_at) - timeOf(other.expires_at));
  if (!first) return [];
  const days = Math.ceil((timeOf(first.expires_at) - now) / DAY_MS);
  const when = days === 1 ? "within a day" : `in ${days} days`;
  return [
    {
      key: "ending",
      kind: "token",
      title:
        ending.length === 1
          ? `The token ${first.name} expires ${when}`
          : `${ending.length} tokens expire within 7 days`,
      detail:
        ending.length === 1 ? "Whatever uses it stops working then." : `The first is ${first.name}, ${when}.`,
      to: ending.length === 1 ? `settings/tokens?row=${first.id}` : "settings/tokens?sort=expires",
    },
  ];
}

function findUnused({ now, tokens = [] }: LookInput): LookItem[] {
  const unused = tokens.filter(
    ({ type, last_used_at, created_at, expires_at }) =>
      type !== "job" &&
      !isPast(expires_at, now) &&
      now - timeOf(last_used_at ?? created_at) >= UNUSED_FOR_DAYS * DAY_MS,
  );
  const [first] = unused;
  if (!first) return [];
  return [
    {
      key: "unused",
      kind: "token",
      title:
        unused.length === 1
          ? `The token ${first.name} has been unused for ${UNUSED_FOR_DAYS} days`
          : `${unused.length} tokens have been unused for ${UNUSED_FOR_DAYS} days`,
      detail: "Revoke the tokens that no one needs.",
      to: unused.length === 1 ? `settings/tokens?row=${first.id}` : "settings/tokens?unused=30",
    },
  ];
}

function findPeople({ userId, isOwner, members = [] }: LookInput): LookItem[] {
  if (!isOwner) return [];
  const owners = members.filter(({ role }) => role === "owner");
  const items: LookItem[] = [];
  if (owners.length === 1 && members.length > 1)
    items.push({
      key: "only owner",
      kind: "people",
      title:
        owners[0]?.user_id === userId ? "You are the only owner" : `${owners[0]?.name} is the only owner`,
      detail: "Make someone else an owner, in case a passkey is lost.",
      to: `settings/members?row=${members.find(({ role }) => role !== "owner")?.user_id ?? ""}`,
    });
  for (const owner of owners.filter(hasOneStep)) {
    const isSelf = owner.user_id === userId;
    items.push({
      key: `passkey ${owner.user_id}`,
      kind: "people",
      title: isSelf
        ? "You have neither a passkey nor two-step sign-in"
        : `${owner.name} has neither a passkey nor two-step sign-in`,
      detail: describeOtherMethods(owner.sign_in_methods),
      to: isSelf ? "/app/me" : `settings/members?row=${owner.user_id}`,
    });
  }
  return items;
}

const hasOneStep = ({ sign_in_methods: methods, two_step: hasTwo }: Member) =>
  !hasTwo && !methods.includes("passkey");

function describeOtherMethods(methods: readonly string[]): string {
  if (methods.includes("mail")) return "Anyone who reads an owner's mail can sign in.";
  return methods.length > 0
    ? "An owner should not depend on one provider."
    : "Without a passkey, only a link from the server's operator signs the owner in again.";
}

const timeOf = (time: string | undefined): number => (time ? Date.parse(time) : Number.NaN);
const isPast = (time: string | undefined, now: number) => time !== undefined && Date.parse(time) <= now;
