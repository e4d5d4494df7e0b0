/** Logos. Brand marks come from Simple Icons, in a separate sprite that does not delay the page. */
import crab from "../images/crab.png?inline";
import video from "../images/video.png?inline";
import type { Mark, Wordmark } from "./schema.ts";

const pictures = { crab, video };

/** Hidden from assistive technology, because its name is next to it. */
export function BrandMark({ brand }: { brand: string }) {
  return (
    <svg className="tech" aria-hidden="true">
      <use href={`${__MARKS_URL__}#s-${brand}`} />
    </svg>
  );
}

/** Two of the logos are pictures inside the page, so that they need no request. */
export function LogoMark({ mark }: { mark: Mark }) {
  if ("brand" in mark) return <BrandMark brand={mark.brand} />;
  return <img className="tech" src={pictures[mark.image]} alt="" width="28" height="28" />;
}

export function Wordmarks({ names, isSmall = false }: { names: Wordmark[]; isSmall?: boolean }) {
  return (
    <ul className={isSmall ? "wm-row wm-sm" : "wm-row"}>
      {names.map((mark) => (
        <li
          key={mark.name}
          className={mark.isMono ? "wm is-mono" : "wm"}
          style={{ fontWeight: mark.weight, letterSpacing: mark.spacing }}
        >
          <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2.6" aria-hidden="true">
            <path d={mark.path} />
          </svg>
          {mark.name}
        </li>
      ))}
    </ul>
  );
}
