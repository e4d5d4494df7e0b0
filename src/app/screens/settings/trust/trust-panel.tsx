import { Facts, SidePanel } from "../side-panel.tsx";
import { describeCache, type TrustRow } from "./trust-rows.ts";

/** For people who may only read a relationship. */
export function TrustPanel({ row, onClose }: { row: TrustRow; onClose: () => void }) {
  const { relationship, project, name } = row;
  return (
    <SidePanel title={<bdi>{name}</bdi>} onClose={onClose}>
      <Facts
        facts={[
          ["Project", project.name],
          ["Issuer", <bdi key="issuer">{relationship.issuer}</bdi>],
          ...Object.entries(relationship.claims).map(
            ([claim, value]) => [claim, <bdi key={claim}>{value}</bdi>] as const,
          ),
          ["Cache", `its jobs may ${describeCache(relationship.cache)}`],
        ]}
      />
      <p className="text-xs muted">Owners change trust relationships.</p>
    </SidePanel>
  );
}
