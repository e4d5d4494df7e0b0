import { ScrollFrame } from "../../ui/scroll-frame.tsx";

/** A unified diff with colours; the signs are in the text itself. */
export function DiffView({ patch }: { patch: string }) {
  const lines = patch.replace(/\n$/, "").split("\n");
  return (
    <ScrollFrame className="code diff" label="Change">
      <pre>
        <code>
          {lines.map((line, index) => (
            // Lines have no identity of their own, and never change.
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index} className="diff-line" data-kind={kindOf(line)}>
              {line}
              {"\n"}
            </span>
          ))}
        </code>
      </pre>
    </ScrollFrame>
  );
}

function kindOf(line: string): string {
  if (/^(?:---|\+\+\+|diff |index )/.test(line)) return "file";
  if (line.startsWith("@@")) return "place";
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return "same";
}
