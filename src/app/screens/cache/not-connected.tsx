import { Link } from "react-router";
import { useOrganization } from "../../data/organization.ts";
import { addressOf } from "../../page/places.ts";
import { Icon } from "../../ui/icon.tsx";
import { type Refusal, refusalsOf } from "./refusals.ts";
import { CACHE_TOOLS } from "./tools.ts";
import { ToolMark } from "./tool-mark.tsx";

/** Target of "Connect a tool". */
export const CONNECT_ID = "not-connected";

interface Props {
  /** Ids of the connected tools. */
  connected: readonly string[];
  refusals: readonly Refusal[];
}

/** Each tool links to its page. */
export function NotConnected({ connected, refusals }: Props) {
  const { name: organization } = useOrganization();
  const others = CACHE_TOOLS.filter(({ id }) => !connected.includes(id));
  return (
    <section className="section" aria-labelledby={`${CONNECT_ID}-title`} id={CONNECT_ID}>
      <div className="section-header">
        <h2 id={`${CONNECT_ID}-title`}>{others.length > 0 ? "Not connected" : "All tools are connected"}</h2>
        <span className="text-xs subtle">one address and one token each</span>
      </div>
      <ul className={connected.length === 0 ? "tiles is-wide" : "tiles"}>
        {(others.length > 0 ? others : CACHE_TOOLS).map((tool) => (
          <li key={tool.id}>
            <Link to={addressOf(organization, `cache/${tool.id}`)}>
              <ToolMark tool={tool.id} />
              <b>{tool.name}</b>
              {others.length > 0 && refusalsOf(refusals, tool).length > 0 ? (
                <small className="text-work">its requests are refused</small>
              ) : (
                <small>{tool.how}</small>
              )}
              <Icon name="chevronRight" className="small" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
