/**
 * A token for one block, made when the reader asks for it: with the least rights that the sample needs, for a week. It is
 * in the block and nowhere else: not in storage, not in an attribute, which a recording of the page would have, and not in
 * an address.
 */
import { make } from "../parts/make.ts";
import { AskError, callApi, type Project } from "./ask.ts";
import { replaceWord } from "./rewrite-samples.ts";
import { tell } from "./run-this.ts";

const PLACEHOLDER = /\bmr_(?<type>prj|org|user)_(?:…|your_token)/;
const SECRET = /^mr_(?:prj|org|user)_[A-Za-z0-9]{20,200}$/;
const LIFETIME_DAYS = 7;
const MAX_NAME_LENGTH = 80;
const TYPES = { prj: "project", org: "org", user: "user" } as const;

export interface TokenOwner {
  /** Its name. */
  organization: string;
  project: Project | undefined;
  signal: AbortSignal;
}

/** @returns null for a block without a token, and for a project's token without a project */
export function createTokenButton(figure: HTMLElement, owner: TokenOwner): HTMLElement | null {
  const code = figure.querySelector("code");
  const type = typeOf(code?.textContent ?? "");
  if (!code || !type || (type === "project" && !owner.project)) return null;
  const button = make("button", { className: "run", type: "button" }, "Create this token");
  const status = make("span", { className: "own-status" });
  button.addEventListener("click", () => {
    button.disabled = true;
    status.textContent = "Creating a token…";
    create(figure, code, { type, owner }).then(
      ({ day }) => {
        button.remove();
        tell(status, `Shown once, works until ${day}. Revoke it under `, tokensLink(owner));
      },
      (error: unknown) => {
        if (owner.signal.aborted) return;
        button.disabled = false;
        const [text, ...rest] = explain(error, owner);
        tell(status, text, ...rest);
      },
    );
  });
  return make("span", { className: "own-part" }, button, status);
}

const typeOf = (text: string) => {
  const type = PLACEHOLDER.exec(text)?.groups?.["type"];
  return type && TYPES[type as keyof typeof TYPES]; // the expression's own alternatives
};

async function create(
  figure: HTMLElement,
  code: HTMLElement,
  { type, owner }: { type: (typeof TYPES)[keyof typeof TYPES]; owner: TokenOwner },
): Promise<{ day: string }> {
  const title = document.querySelector("h1")?.textContent?.trim() ?? "";
  const expires = new Date(Date.now() + LIFETIME_DAYS * 86_400_000);
  const { secret } = await callApi<{ secret: string }>(
    "TokenService/Create",
    {
      name: [...`Documentation, ${title}`].slice(0, MAX_NAME_LENGTH).join(""),
      type,
      expires_at: expires.toISOString(),
      ...(type === "project" && { project_id: owner.project?.id }),
      ...(code.textContent.includes("--read-only") && { read_only: true }),
    },
    { organization: owner.organization, signal: owner.signal, key: newKey() },
  );
  if (!SECRET.test(secret)) throw new AskError("The server's answer has an unknown form.");
  if (owner.signal.aborted || !code.isConnected) throw new AskError("The page was left.");
  putInto(figure, code, secret);
  return {
    day: expires.toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "long" }),
  };
}

function putInto(figure: HTMLElement, code: HTMLElement, secret: string): void {
  for (let match = PLACEHOLDER.exec(code.textContent); match; match = PLACEHOLDER.exec(code.textContent))
    replaceWord(code, { start: match.index, end: match.index + match[0].length, text: secret });
  const button = figure.querySelector<HTMLElement>(".copy");
  const copy = button?.dataset["copy"];
  if (!button || copy === undefined || !PLACEHOLDER.test(copy)) return;
  // The copy button reads its `dataset`. As an attribute, the secret would be in recordings of the page.
  Object.defineProperty(button, "dataset", {
    value: { ...button.dataset, copy: copy.replaceAll(new RegExp(PLACEHOLDER, "g"), () => secret) },
    configurable: true,
  });
}

function explain(error: unknown, owner: TokenOwner): [string, ...(Node | string)[]] {
  if (error instanceof AskError && error.needsApplication)
    return [
      "The server first wants to know that it is you. Create the token under ",
      tokensLink(owner, "?new=1"),
    ];
  if (error instanceof AskError && error.isSignedOut)
    return ["Your session has ended. ", make("a", { href: "/app" }, "Sign in again")];
  return [`No token was created. ${error instanceof Error ? error.message : ""}`];
}

const tokensLink = ({ organization }: TokenOwner, query = "") =>
  make("a", { href: `/app/${encodeURIComponent(organization)}/settings/tokens${query}` }, "Tokens");

/** Pages on plain http have no `randomUUID`. */
const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
