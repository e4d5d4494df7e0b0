/** The badges are our own drawings. The text next to them has the same content. */

/** `id` makes the path of the round text unique if a page shows the badge twice. */
export function SocBadge({ id }: { id: string }) {
  return (
    <svg
      className="badge"
      viewBox="0 0 128 128"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing takes the theme's colours
      role="img"
      aria-label="SOC for Service Organizations, sample badge"
    >
      <circle cx="64" cy="64" r="62" className="b-o" />
      <circle cx="64" cy="64" r="42" className="b-i" />
      <path id={`soc-${id}`} d="M64 15.5a48.5 48.5 0 1 1-.01 0" fill="none" />
      <text className="b-ring">
        <textPath href={`#soc-${id}`} textLength="300">
          SOC FOR SERVICE ORGANIZATIONS · SAMPLE ·
        </textPath>
      </text>
      <text x="64" y="72" textAnchor="middle" className="b-t">
        SOC
      </text>
      <path d="M44 80c5-3 9-3 13.3 0s8.3 3 13.3 0 8.3-3 13.3 0" className="b-w" />
    </svg>
  );
}

export function FundingBadge() {
  return (
    <svg
      className="badge badge-wide"
      viewBox="0 0 264 128"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an inline drawing takes the theme's colours
      role="img"
      aria-label="Co-funded by the public innovation programme, sample badge"
    >
      <rect x="2" y="2" width="260" height="124" rx="8" className="b-o" />
      <path className="b-col" d="M22 42 46 26 70 42ZM26 50v26M38 50v26M54 50v26M66 50v26M20 84H72" />
      <text x="90" y="44" className="b-s">
        Co-funded by
      </text>
      <text x="90" y="64" className="b-m">
        Public Innovation
      </text>
      <text x="90" y="82" className="b-m">
        Programme
      </text>
      <text x="22" y="110" className="b-s">
        Grant agreement 000000 (sample)
      </text>
    </svg>
  );
}
