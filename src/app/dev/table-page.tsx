export function TablePage() {
  return <h1>Table</h1>;
}
