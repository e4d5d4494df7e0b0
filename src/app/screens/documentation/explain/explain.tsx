import { type FormEvent, useId } from "react";
import { useAddress } from "../../../data/address.ts";
import { formatCount } from "../../../format.ts";
import { Head, Page } from "../../../page/page.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useReport } from "../report.ts";
// For its styles, which all pages of figures share in one file.
import "../report-page.tsx";
import { Show } from "../show.tsx";
import { ExplainedHits } from "./explained-hits.tsx";
import { type ExplainReport, MAX_QUERY_LENGTH } from "./hits.ts";
import "../../../styles/frame/explain.css";

const ABOVE = [{ label: "Documentation", to: "/console" }];

/** The query is in the address, so that a link shows a colleague the same page. */
export function ExplainPage() {
  const { params, change } = useAddress();
  const query = (params.get("q") ?? "").trim().slice(0, MAX_QUERY_LENGTH);
  return (
    <Page title="Explain a search" above={ABOVE}>
      <Head
        title="Explain a search"
        lead="The hits that readers get, each with the reasons for its place. Searches here are not counted as readers' searches."
      />
      <div className="report">
        <QueryForm key={query} query={query} onAsk={(q) => change({ q })} />
        {query ? <Hits query={query} /> : <NoQuery />}
      </div>
    </Page>
  );
}

function QueryForm({ query, onAsk }: { query: string; onAsk: (query: string) => void }) {
  const id = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onAsk(String(new FormData(event.currentTarget).get("q") ?? "").trim());
  };
  return (
    <search>
      <form className="explain-form" onSubmit={submit}>
        <label className="vh" htmlFor={id}>
          A reader's search
        </label>
        <input
          className="input"
          id={id}
          name="q"
          type="search"
          defaultValue={query}
          placeholder="What a reader types"
          maxLength={MAX_QUERY_LENGTH}
          autoComplete="off"
        />
        <button className="btn" type="submit">
          <Icon name="search" />
          Explain
        </button>
      </form>
    </search>
  );
}

function Hits({ query }: { query: string }) {
  const report = useReport<ExplainReport>(`explain?q=${encodeURIComponent(query)}`);
  return (
    <Show report={report} what="The hits">
      {({ hits, total }) =>
        hits.length === 0 ? (
          <EmptyState title="Nothing was found">
            <p>
              No record contains any of these words, even with typos. A synonym leads readers from their word
              to one that the documentation uses: see “No hits” under Searches.
            </p>
          </EmptyState>
        ) : (
          <>
            <output className="text-xs muted">
              {hits.length < total
                ? `The first ${hits.length} of ${formatCount(total)} hits`
                : `${formatCount(hits.length)} ${hits.length === 1 ? "hit" : "hits"}`}
              , in the readers' order.
            </output>
            <ExplainedHits hits={hits} query={query} />
          </>
        )
      }
    </Show>
  );
}

function NoQuery() {
  return (
    <EmptyState title="Type a search">
      <p>
        Each hit then shows which words it matched and how, including typos, and its score from each ranking
        rule. Queries under Searches also link here.
      </p>
    </EmptyState>
  );
}
