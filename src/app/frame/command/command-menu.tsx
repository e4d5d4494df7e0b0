export function CommandMenu({ onClose }: { onClose: () => void }) {
  return <button onClick={onClose}>x</button>;
}
