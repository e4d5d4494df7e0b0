import type { OrganizationServiceCreateInvitationResponse } from "#api/gen/json-types.ts";
import { isLocalName } from "#platform/text/local-name.ts";
import { Icon } from "../../../ui/icon.tsx";
import { TokenOnce } from "../../../ui/token-once.tsx";
import { formatDate } from "../../../dates.ts";

interface Props {
  made: OrganizationServiceCreateInvitationResponse;
  /** Whether the server has sent the mail. */
  isMailed: boolean;
  onDone: () => void;
}

/** The result of a new invitation: sent, or its link, which no one can show again. */
export function InvitationOnce({ made: { invitation, url }, isMailed, onDone }: Props) {
  const mail = invitation?.mail ?? "";
  const end = invitation?.expires_at ? formatDate(new Date(invitation.expires_at)) : "";
  if (isMailed && mail !== "")
    return (
      <output className="note ok">
        <Icon name="circleCheck" />
        <div>
          <b>
            Sent to <bdi>{mail}</bdi>.
          </b>{" "}
          The link works once, until {end}.
        </div>
        <span className="actions">
          <button className="icon-button small" type="button" aria-label="Close the message" onClick={onDone}>
            <Icon name="x" />
          </button>
        </span>
      </output>
    );
  return (
    <TokenOnce name={mail === "" ? "A link" : `A link for ${mail}`} secret={url} onDone={onDone}>
      <span>Anyone who opens it joins as {invitation?.role === "owner" ? "an owner" : "a member"}, once</span>
      <span>Until {end}</span>
      {isLocalName(new URL(url).hostname) && (
        <span>Works only on this machine: the operator must set SITE_ORIGIN for others to open it</span>
      )}
      <span className="mono">{invitation?.id}</span>
    </TokenOnce>
  );
}
