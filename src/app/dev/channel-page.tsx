export function ChannelPage() {
  return <h1>Channel</h1>;
}
