import github from "simple-icons/icons/github.svg?raw";
import google from "simple-icons/icons/google.svg?raw";
import type { AuthState } from "../data/answers.ts";
import { GateIcon } from "./gate-icon.tsx";
import { safeNext } from "./next-page.ts";

interface Props {
  methods: AuthState["methods"];
  /** The address to return to; null: the server decides. */
  next: string | null;
  /** The key of the invitation that this sign-in accepts. */
  invitation?: string;
}

/** Links, because the browser leaves for the provider and returns. */
export function Providers({ methods, next, invitation }: Props) {
  const query = new URLSearchParams({
    ...(next !== null && { next: safeNext(next, location.origin) }),
    ...(invitation !== undefined && { invitation }),
  }).toString();
  const href = (path: string) => (query ? `${path}?${query}` : path);
  return (
    <>
      {methods.oidc !== null && (
        <a className="btn btn-line btn-big" href={href("/auth/oidc")}>
          {methods.oidc.toLowerCase() === "google" ? <Brand svg={google} /> : <GateIcon name="keyRound" />}
          <span className="clip">
            Continue with <bdi>{methods.oidc}</bdi>
          </span>
        </a>
      )}
      {methods.github && (
        <a className="btn btn-line btn-big" href={href("/auth/github")}>
          <Brand svg={github} />
          Continue with GitHub
        </a>
      )}
    </>
  );
}

function Brand({ svg }: { svg: string }) {
  const path = / d="([^"]+)"/.exec(svg)?.[1];
  return (
    <svg className="icon" viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
