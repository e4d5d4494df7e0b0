import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { TokenServiceCreateRequest, TokenServiceCreateResponse } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";
import { useOrganization } from "../../data/organization.ts";
import { projectsQuery, tokensQuery } from "../../data/queries.ts";
import { useOpened } from "../../data/use-opened.ts";
import { Head, Page, type PageAction } from "../../page/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { TokenOnce } from "../../ui/token-once.tsx";
import { NewTokenDialog } from "./tokens/new-token-dialog.tsx";
import { RevokeDialog } from "./tokens/revoke-dialog.tsx";
import { TokenTable } from "./tokens/token-table.tsx";
import { describeEnd, explainRights } from "./tokens/token-words.ts";
import { useSettingsCrumbs } from "./use-settings-crumbs.ts";
import "../../styles/settings-screens.css";

export function TokensScreen() {
  const { name: organization } = useOrganization();
  const tokens = useQuery(tokensQuery(organization));
  const { data: projects = [] } = useQuery(projectsQuery(organization));
  const client = useQueryClient();
  const { value: isNew, open, close } = useOpened("new");
  const row = useOpened("row");
  const deed = useOpened("do");
  // Stored only here: leaving the screen forgets the secret.
  const [made, setMade] = useState<TokenServiceCreateResponse | null>(null);
  const actions = useMemo<PageAction[]>(
    () => [
      {
        label: "New token",
        icon: "plus",
        shortcut: "N",
        command: "millrace tokens create --name <name> --expires 90d",
        run: () => open("1"),
      },
    ],
    [open],
  );
  const nameOfProject = useCallback(
    (id: string) => projects.find((project) => project.id === id)?.name ?? id,
    [projects],
  );
  const create = async (request: TokenServiceCreateRequest, idempotencyKey: string) => {
    setMade(await call("TokenService/Create", request, { organization, idempotencyKey }));
    void client.invalidateQueries({ queryKey: ["tokens", organization] });
  };
  const revoked = tokens.data?.find(({ id }) => id === row.value);
  return (
    <Page title="Tokens" above={useSettingsCrumbs()} actions={actions}>
      <Head
        title="Tokens"
        lead="A secret is shown once. Millrace keeps a hash, so no one can show it again."
        actions={
          <button className="btn action" type="button" aria-keyshortcuts="N" onClick={() => open("1")}>
            <Icon name="plus" />
            New token<kbd>N</kbd>
          </button>
        }
      />
      {made && <Made made={made} nameOfProject={nameOfProject} onDone={() => setMade(null)} />}
      <TokenTable
        source={tokens}
        nameOfProject={nameOfProject}
        currentKey={row.value ?? undefined}
        onOpen={({ id }) => row.open(id)}
        onRevoke={({ id }) => deed.open("revoke", { row: id })}
        onNew={() => open("1")}
      />
      {isNew !== null && <NewTokenDialog projects={projects} onCreate={create} onClose={close} />}
      {deed.value === "revoke" && revoked && <RevokeDialog token={revoked} onClose={deed.close} />}
    </Page>
  );
}

interface MadeProps {
  made: TokenServiceCreateResponse;
  nameOfProject: (id: string) => string;
  onDone: () => void;
}

function Made({ made: { token, secret }, nameOfProject, onDone }: MadeProps) {
  const { name: organization } = useOrganization();
  if (!token) return null;
  const idle = token.type === "user" ? "Expires after 90 days without use" : "Never expires";
  return (
    <TokenOnce name={token.name} secret={secret} onDone={onDone}>
      <span>{explainRights(token, { organization, project: nameOfProject(token.project_id) })}</span>
      <span>{token.expires_at ? `Expires ${describeEnd(token)}` : idle}</span>
      <span className="mono">{token.id}</span>
    </TokenOnce>
  );
}
