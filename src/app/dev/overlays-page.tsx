export function OverlaysPage() {
  return <h1>Overlays</h1>;
}
