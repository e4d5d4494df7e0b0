/**
 * The screens' queries, by key. The first part of a key is the noun that events name (`live-queries.ts`), the second the
 * organization. Lists are read completely, page by page, up to a limit that the screen can detect.
 */
import { queryOptions } from "@tanstack/react-query";
import type { Invitation, Member, Passkey, Project, SignIn, Token } from "#api/gen/json-types.ts";
import type { AuthState, TwoStep } from "./answers.ts";
import { readAnswer, readResponse } from "./ask-server.ts";
import { type AnswerOf, call, type MethodName, type RequestOf } from "./call.ts";

const PAGE_SIZE = 100;
/** Rows of one list in memory: more than an organization may have. */
const MAX_LISTED = 5_000;

/** Methods that return a page of a list. */
type ListMethod = {
  [Name in MethodName]: AnswerOf<Name> extends { next_page_token: string } ? Name : never;
}[MethodName];

interface ListInput<Name extends ListMethod> {
  request?: RequestOf<Name>;
  organization?: string;
  signal?: AbortSignal;
}

/** Every page of a list, in order. @throws CallError */
export async function* readPages<Name extends ListMethod>(
  method: Name,
  { request, organization, signal }: ListInput<Name>,
): AsyncGenerator<AnswerOf<Name>, void> {
  let page_token = "";
  do {
    const page = await call(
      method,
      // Every list accepts these two.
      { ...request, page_size: PAGE_SIZE, page_token } as RequestOf<Name>,
      { ...(organization && { organization }), ...(signal && { signal }) },
    );
    yield page;
    page_token = page.next_page_token;
  } while (page_token !== "");
}

/** All pages of a list, up to a limit. @throws CallError */
export async function readWhole<Name extends ListMethod, Row>(
  method: Name,
  rowsOf: (page: AnswerOf<Name>) => Row[],
  input: ListInput<Name>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of readPages(method, input)) {
    rows.push(...rowsOf(page));
    if (rows.length >= MAX_LISTED) break;
  }
  return rows;
}

/** The person's session and organizations; the first question of every page. */
export const authStateQuery = queryOptions({
  queryKey: ["organizations"],
  queryFn: () => {
    const early = takeEarlyState();
    return early ? readResponse<AuthState>(early) : readAnswer<AuthState>("/auth/state");
  },
});

/** The request that the page itself sent before its code was loaded (`frame.html`), once. */
function takeEarlyState(): Promise<Response> | undefined {
  // The server also runs this code.
  if (!("window" in globalThis)) return undefined;
  const early = window.millraceState;
  delete window.millraceState;
  return early;
}

export const projectsQuery = (organization: string) =>
  queryOptions({
    queryKey: ["projects", organization],
    queryFn: ({ signal }): Promise<Project[]> =>
      readWhole("ProjectService/List", (page) => page.projects, { organization, signal }),
  });

export const membersQuery = (organization: string) =>
  queryOptions({
    queryKey: ["members", organization],
    queryFn: ({ signal }): Promise<Member[]> =>
      readWhole("OrganizationService/ListMembers", (page) => page.members, { organization, signal }),
  });

/** For owners only. */
export const invitationsQuery = (organization: string) =>
  queryOptions({
    queryKey: ["invitations", organization],
    queryFn: ({ signal }): Promise<Invitation[]> =>
      readWhole("OrganizationService/ListInvitations", (page) => page.invitations, { organization, signal }),
  });

export const tokensQuery = (organization: string) =>
  queryOptions({
    queryKey: ["tokens", organization],
    queryFn: ({ signal }): Promise<Token[]> =>
      readWhole("TokenService/List", (page) => page.tokens, { organization, signal }),
  });

export const signInsQuery = queryOptions({
  queryKey: ["sign-ins"],
  queryFn: ({ signal }): Promise<SignIn[]> =>
    readWhole("AccountService/ListSignIns", (page) => page.sign_ins, { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: ["passkeys"],
  queryFn: ({ signal }): Promise<Passkey[]> =>
    readWhole("AccountService/ListPasskeys", (page) => page.passkeys, { signal }),
});

export const twoStepQuery = queryOptions({
  queryKey: ["two-step"],
  queryFn: () => readAnswer<TwoStep>("/auth/two-step"),
});
