#!/bin/sh
# A plugin of the container network interface (CNI 1.0.0), called by buildkitd for each RUN step: it gives the step a
# network namespace with one interface, whose other end is in the builder's network, and an address that no other step
# has. What comes from a step is routed to the uplink or refused (see start-builder.sh): it reaches the internet, neither
# another step, nor the builder, nor the machine's loopback addresses. There is no bridge, because a step that may send
# raw packets could take the place of the way out, or of another step, on it.
#
# In: CNI_COMMAND, CNI_CONTAINERID, CNI_NETNS (a path) and CNI_IFNAME, and the network's configuration, unread.
# Out: the result as JSON. The addresses that are in use are folders in MILLRACE_STEPS.
set -eu

# buildkitd asks for a second plugin, of this name, for the namespace's own loopback.
if [ "${0##*/}" = loopback ]; then
  case $CNI_COMMAND in ADD) nsenter --net="$CNI_NETNS" ip link set lo up ;; esac
  echo '{"cniVersion":"1.0.0","supportedVersions":["0.4.0","1.0.0"],"interfaces":[{"name":"lo"}]}'
  exit 0
fi

fail() {
  printf '{"cniVersion":"1.0.0","code":%s,"msg":"%s"}\n' "$1" "$2"
  exit 1
}

# The number of the step's address: the first that is free.
take() {
  number=1
  while ! mkdir "$MILLRACE_STEPS/$number" 2>/dev/null; do
    [ "$number" -lt "$MILLRACE_MOST_STEPS" ] || fail 11 "All $MILLRACE_MOST_STEPS addresses for steps are in use"
    number=$((number + 1))
  done
  echo "$CNI_CONTAINERID" >"$MILLRACE_STEPS/$number/id"
}

find_number() {
  for folder in "$MILLRACE_STEPS"/*; do
    read -r id 2>/dev/null <"$folder/id" && [ "$id" = "$CNI_CONTAINERID" ] && number=${folder##*/} && return 0
  done
  return 1
}

case $CNI_COMMAND in
VERSION)
  echo '{"cniVersion":"1.0.0","supportedVersions":["0.4.0","1.0.0"]}'
  ;;
CHECK) ;;
DEL)
  if find_number; then
    ip link delete "step$number" 2>/dev/null || true
    rm -rf "${MILLRACE_STEPS:?}/$number"
  fi
  ;;
ADD)
  take
  # 10.64.1.1 for the first: what is below belongs to the builder.
  address=10.64.$((1 + number / 256)).$((number % 256))
  trap 'ip link delete "step$number" 2>/dev/null; rm -rf "${MILLRACE_STEPS:?}/$number"' EXIT
  # By its number: its path may have spaces.
  exec 3<"$CNI_NETNS"
  ip -batch - <<END
link add step$number mtu $MILLRACE_MTU type veth peer name $CNI_IFNAME mtu $MILLRACE_MTU netns /proc/self/fd/3
link set step$number up
route add $address/32 dev step$number
END
  nsenter --net="$CNI_NETNS" ip -batch - <<END
address add $address/32 dev $CNI_IFNAME
link set $CNI_IFNAME up
route add 10.64.0.1/32 dev $CNI_IFNAME
route add default via 10.64.0.1
END
  trap - EXIT
  printf '{"cniVersion":"1.0.0","interfaces":[{"name":"%s","sandbox":"%s"}],"ips":[{"address":"%s/32","gateway":"10.64.0.1","interface":0}],"dns":{}}\n' \
    "$CNI_IFNAME" "$CNI_NETNS" "$address"
  ;;
*)
  fail 4 "CNI_COMMAND $CNI_COMMAND is not known"
  ;;
esac
