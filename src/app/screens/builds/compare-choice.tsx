import { useQuery } from "@tanstack/react-query";
import { useAddress } from "../../data/address.ts";
import { useOrganization } from "../../data/organization.ts";
import { formatAge } from "../../format.ts";
import { Icon } from "../../ui/icon.tsx";
import { Menu } from "../../ui/menu.tsx";
import { useMinute } from "../../ui/use-minute.ts";
import { siblingsQuery } from "./build-queries.ts";
import { shortSha, timeOf, titleOf } from "./build-words.ts";
import { useNeighbours } from "./use-build-actions.ts";
import type { View } from "./view.ts";

const MOST_CHOICES = 20;
const OPTIONS = { succeeded: "", failed: "failed", canceled: "canceled" };

/** Another build of the branch, whose bars are drawn below. */
export function CompareChoice({ view }: { view: View }) {
  const { build, other } = view;
  const { name } = useOrganization();
  const { change } = useAddress();
  const now = useMinute();
  const { data = [] } = useQuery(siblingsQuery(name, build));
  const { previous } = useNeighbours(build);
  const others = data.filter(({ id, state }) => id !== build.id && state in OPTIONS);
  const items = [
    {
      key: "none",
      label: "Nothing",
      isChosen: !other,
      run: () => change({ against: null }),
    },
    ...others.slice(0, MOST_CHOICES).map((each) => ({
      key: each.id,
      label: (
        <bdi className="clip">
          {each.commit_sha && `${shortSha(each.commit_sha)} `}
          {titleOf(each)}
        </bdi>
      ),
      text: titleOf(each),
      note: each.id === previous?.id ? "the build before" : formatAge(timeOf(each.created_at) ?? 0, now),
      isChosen: each.id === other?.name,
      run: () => change({ against: each.id }),
    })),
  ];
  const shown = other ? other.name : "nothing";
  return (
    <Menu className="btn bare compare" label={`Compared with ${shown}, change`} items={items}>
      <bdi className="mono clip">{shown}</bdi>
      {other && other.name === previous?.id && <span className="narrow-hidden">the build before</span>}
      <Icon name="chevronDown" className="small" />
    </Menu>
  );
}
