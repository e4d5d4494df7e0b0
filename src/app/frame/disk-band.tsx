import { useQuery } from "@tanstack/react-query";
import type { DiskState } from "../data/answers.ts";
import { useHere } from "../data/organization.ts";
import { authStateQuery } from "../data/queries.ts";
import { formatBytes } from "../format.ts";
import { Icon } from "../ui/icon.tsx";

const ASK_AGAIN_MS = 60_000;
/** While someone is freeing space. */
const ASK_SOON_MS = 10_000;

/** For owners, on every page: the server's disk is low on space. It appears and disappears automatically. */
export function DiskBand() {
  const { user } = useHere();
  const isTold = user.is_operator || user.organizations.some(({ role }) => role === "owner");
  const { data } = useQuery({
    ...authStateQuery,
    refetchInterval: ({ state }) => isTold && (state.data?.disk ? ASK_SOON_MS : ASK_AGAIN_MS),
  });
  if (!isTold || !data?.disk) return null;
  const { level } = data.disk;
  return (
    <output className={level === "full" ? "band bad" : "band"}>
      <Icon name="triangleAlert" />
      <span>
        <b>The server’s disk is {level === "full" ? "full" : "almost full"}.</b>{" "}
        {level === "full"
          ? "The server stores nothing new. You can still read and delete data, and revoke tokens. "
          : "Uploads to caches and the registry are refused. "}
        <Remedy disk={data.disk} />
      </span>
    </output>
  );
}

function Remedy({ disk: { free_bytes: free, total_bytes: total } }: { disk: DiskState }) {
  if (free === undefined || total === undefined) return "Ask whoever runs this server to free space.";
  return (
    <>
      {formatBytes(free)} of {formatBytes(total)} are free.{" "}
      <a className="link" href="/docs/managed/overview/monitoring#when-a-disk-is-full">
        What to do
      </a>
    </>
  );
}
