import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { TrustRelationship, TrustTest } from "#api/gen/json-types.ts";
import { call } from "../../../data/call.ts";
import { useOrganization } from "../../../data/organization.ts";
import { Ago } from "../../../ui/ago.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { summarizeTests } from "./test-words.ts";
import { useDebounced } from "../use-debounced.ts";

interface Props {
  projectId: string;
  project: string;
  relationship: TrustRelationship;
  /** The refused job whose claims are shown. */
  refusedKey: string | undefined;
  onRefused: (test: TrustTest | null) => void;
}

const WAIT_MS = 300;
const ICONS = { ok: "circleCheck", warn: "triangleAlert", info: "info" } as const;

const testsQuery = (organization: string, projectId: string, relationship: TrustRelationship) =>
  queryOptions({
    queryKey: ["exchanges", organization, "tests", projectId, relationship],
    queryFn: ({ signal }) =>
      call(
        "ProjectService/TestTrust",
        { project_id: projectId, trust_relationship: relationship },
        { organization, signal },
      ),
    placeholderData: keepPreviousData,
  });

/** Which of the last jobs would get a token from the typed relationship. */
export function TrustTester(props: Props) {
  return (
    <div className="tester">
      <Tester {...props} />
    </div>
  );
}

function Tester({ projectId, project, relationship, refusedKey, onRefused }: Props) {
  const { name: organization } = useOrganization();
  const tried = useDebounced(relationship, WAIT_MS);
  const isWhole = tried.issuer !== "" && Object.keys(tried.claims).length > 0 && projectId !== "";
  const { data, error } = useQuery({ ...testsQuery(organization, projectId, tried), enabled: isWhole });
  const tests = data?.tests;
  // The shown job follows the typed claims: the same job if it is still refused, else the newest refused one.
  useEffect(() => {
    if (!tests) return;
    const refused = tests.filter(({ matches }) => !matches);
    onRefused(refused.find(({ exchange_id }) => exchange_id === refusedKey) ?? refused[0] ?? null);
    // oxlint-disable-next-line react/exhaustive-deps -- the choice of the reader is kept, not followed
  }, [tests]);
  if (!isWhole) return <p className="text-xs muted">Fill in a claim to see which jobs would get a token.</p>;
  if (error)
    return (
      <p className="note bad" role="alert">
        The last jobs cannot be tried. {error.message}
      </p>
    );
  if (!tests) return <p className="text-xs muted">Trying the last jobs...</p>;
  const { tone, title, text, refused } = summarizeTests(tests, project);
  return (
    <output className={`note ${tone}`}>
      <Icon name={ICONS[tone]} />
      <div>
        <b>{title}</b> {text}
        {refused.length > 0 && (
          <ul className="refused">
            {refused.map((test) => (
              <li key={test.exchange_id}>
                <button
                  className="link"
                  type="button"
                  aria-pressed={test.exchange_id === refusedKey}
                  onClick={() => onRefused(test)}
                >
                  <bdi>{test.subject || "a job without a subject"}</bdi>
                </button>{" "}
                <Ago at={test.time} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </output>
  );
}
