import type { AuditEvent } from "#api/gen/json-types.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Status } from "../../../ui/status.tsx";
import { describeAction } from "./action-words.ts";

/** A person's action; refusals and deletions have their shape before the words. */
export function DidWords({ event }: { event: AuditEvent }) {
  const { did, tone } = describeAction(event);
  if (tone === "failed") return <Status state="failed" word={did} />;
  if (tone === "plain") return did;
  return (
    <span className="row">
      <Icon name="trash" className="small subtle" />
      {did}
    </span>
  );
}
