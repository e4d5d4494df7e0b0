import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { CacheNamespace, Token } from "#api/gen/json-types.ts";
import { useHere, useOrganization } from "../../data/organization.ts";
import { tokensQuery } from "../../data/queries.ts";
import { formatCount, plural } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { CodeBlock, CodeLine } from "../../ui/code-line.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Status } from "../../ui/status.tsx";
import { prefixOf } from "../settings/tokens/token-words.ts";
import { sumDays } from "./cache-figures.ts";
import { Rate } from "./connected-tools.tsx";
import { fillIn, readsToken, SET_TOKEN, SET_UPS, type SetUp } from "./set-ups.ts";
import { ToolMark } from "./tool-mark.tsx";
import { type RequestLine, ToolRequests } from "./tool-requests.tsx";
import type { CacheTool } from "./tools.ts";

interface Props {
  tool: CacheTool;
  namespace: CacheNamespace | undefined;
  lines: readonly RequestLine[];
}

/** From the token to the proof. Steps that the server has seen are ticked. */
export function ConnectSteps({ tool, namespace, lines }: Props) {
  const setUp = SET_UPS.get(tool.id);
  if (!setUp) return null;
  return (
    <div className="grid-side first-run">
      <Steps {...{ tool, namespace, setUp }} hasRequests={lines.length > 0} />
      <div className="section">
        <ToolRequests tool={tool} lines={lines} />
        <Outcome tool={tool} namespace={namespace} />
      </div>
    </div>
  );
}

interface StepsProps extends Omit<Props, "lines"> {
  setUp: SetUp;
  /** A request reached the tool's address, even if it was refused. */
  hasRequests: boolean;
}

function Steps({ tool, namespace, setUp, hasRequests }: StepsProps) {
  const { name: organization } = useOrganization();
  const own = useOwnToken();
  const place = { origin: location.origin, organization };
  const isConnected = namespace !== undefined;
  const hits = sumDays(namespace?.counts ?? [], 14).hits;
  const done = [own !== undefined || isConnected, hasRequests || isConnected, isConnected, hits > 0];
  const next = done.indexOf(false);
  const stepAt = (index: number) => ({ index, isDone: done[index] ?? false, isNext: index === next });
  return (
    <ol className="todo">
      <Step {...stepAt(0)} title="A token that may use the cache">
        <OwnToken token={own} />
        {readsToken(setUp) && <CodeLine command={SET_TOKEN} />}
        <OtherOrganizations />
      </Step>
      <Step {...stepAt(1)} title={`Name the cache for ${tool.name}`}>
        {setUp.files.map(({ name, text }) => (
          <CodeBlock key={name} name={name} text={fillIn(text, place)} />
        ))}
      </Step>
      <Step {...stepAt(2)} title="Build twice">
        {setUp.twice.map((command, index) => (
          <CodeLine key={`${index} ${command}`} command={fillIn(command, place)} />
        ))}
        <output className="todo-wait">
          {!isConnected && (
            <span className="waiting">Waiting for the first request at /cache/{tool.id}/</span>
          )}
        </output>
      </Step>
      <Step {...stepAt(3)} title="Read the proof">
        <p>
          {setUp.proof.where} <span className="caps keep-case">{setUp.proof.mark}</span>, and hits appear
          beside these steps.
        </p>
      </Step>
    </ol>
  );
}

interface StepProps {
  index: number;
  isDone: boolean;
  isNext: boolean;
  title: string;
  children: ReactNode;
}

/** A finished step keeps its lines: the next machine also needs them. */
function Step({ index, isDone, isNext, title, children }: StepProps) {
  return (
    <li className={isDone ? "done" : isNext ? "now" : undefined} aria-current={isNext ? "step" : undefined}>
      <span className="dot" aria-hidden="true">
        {isDone ? <Icon name="check" className="small" /> : index + 1}
      </span>
      <h2>
        {title}
        {isDone && <span className="vh">, done</span>}
      </h2>
      {children}
    </li>
  );
}

/** Read-only tokens can also read from the cache. */
const MAY_USE = new Set(["user", "org"]);

/** The reader's own token, or one of the organization's that they may see. */
function useOwnToken(): Token | undefined {
  const { name } = useOrganization();
  const { user } = useHere();
  const { data = [] } = useQuery(tokensQuery(name));
  const able = data.filter(({ type }) => MAY_USE.has(type));
  return able.find(({ type, owner }) => type === "user" && owner === user.name) ?? able[0];
}

function OwnToken({ token }: { token: Token | undefined }) {
  const { name: organization } = useOrganization();
  const isOwn = token?.type === "user";
  return (
    <p className="row gap12 wrap">
      {token && (
        <span className="found">
          <span>
            <code>{prefixOf(token.type)}</code> {isOwn ? "of" : "named"}{" "}
            <bdi>{isOwn ? token.owner : token.name}</bdi>,{" "}
            <Link className="mono" to={addressOf(organization, `settings/tokens?row=${token.id}`)}>
              {token.id}
            </Link>
          </span>
        </span>
      )}
      <Link className="link" to={addressOf(organization, "settings/tokens?new=1")}>
        {token ? "Make one for CI" : "Make a user or organization token"}
      </Link>
    </p>
  );
}

/** For members of several organizations: why the page might wait forever. */
function OtherOrganizations() {
  const { user } = useHere();
  const { name } = useOrganization();
  if (user.organizations.length < 2) return null;
  return (
    <p className="cache-other">
      You belong to several organizations. Your own token uses the one that you joined first. An organization
      token of <bdi>{name}</bdi> always uses this one.
    </p>
  );
}

function Outcome({ tool, namespace }: Pick<Props, "tool" | "namespace">) {
  const use = sumDays(namespace?.counts ?? [], 14);
  return (
    <section className="section" aria-label="When it works">
      <h2>{namespace ? "What it says now" : "When it works, this page says"}</h2>
      <div className="panel cache-outcome">
        <div className="row gap12">
          <Status state="succeeded" word="Connected" isPill />
          <span className="text-xs muted">
            {namespace
              ? `${plural(use.hits, "hit")}, ${plural(Number(namespace.entries), "entry")} in 14 days`
              : "by itself, with hits and entries"}
          </span>
        </div>
        <div className="row gap12">
          <ToolMark tool={tool.id} />
          <span className="text-xs">{tool.name}</span>
          {namespace ? (
            <Rate hits={use.hits} misses={use.misses} />
          ) : (
            <span className="text-xs subtle end">{formatCount(0)} requests</span>
          )}
        </div>
      </div>
    </section>
  );
}
