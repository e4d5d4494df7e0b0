export interface ClaimRow {
  /** For React; not shown. */
  key: number;
  name: string;
  value: string;
}

interface Props {
  claims: readonly ClaimRow[];
  onChange: (claims: ClaimRow[]) => void;
  /** By the row's key. */
  errors?: ReadonlyMap<number, string>;
}

/** Names and exact values of claims: "repository is acme/web". */
export function ClaimsForm({ claims, onChange }: Props) {
  return (
    <fieldset>
      <legend>Claims that must match</legend>
      {claims.map((claim) => (
        <div className="claim" key={claim.key}>
          <input
            className="in sm mono"
            aria-label="Claim"
            value={claim.name}
            onChange={(event) =>
              onChange(
                claims.map((each) => (each.key === claim.key ? { ...each, name: event.target.value } : each)),
              )
            }
          />
          <span>is</span>
          <input
            className="in sm mono"
            aria-label={`Value of ${claim.name || "the claim"}`}
            value={claim.value}
            onChange={(event) =>
              onChange(
                claims.map((each) =>
                  each.key === claim.key ? { ...each, value: event.target.value } : each,
                ),
              )
            }
          />
        </div>
      ))}
    </fieldset>
  );
}
