/** What the Tab key meets first: ways past the channels and the messages. Seen only while they have the focus. */
export function SkipLinks() {
  return (
    <div className="skip-links">
      <SkipLink to=".conversation .composer input" label="Skip to the message box" />
      <SkipLink to=".conversation article[tabindex='0']" label="Skip to the latest message" />
    </div>
  );
}

function SkipLink({ to, label }: { to: string; label: string }) {
  return (
    <button type="button" onClick={() => document.querySelector<HTMLElement>(to)?.focus()}>
      {label}
    </button>
  );
}
