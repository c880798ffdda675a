import type { Context } from './context.ts';
import type { ApiCall, StoredMessage } from './model.ts';

const LATEST = 10;

/** Describes the state in a few lines, for the error of a wait that timed out. */
export function dump(context: Context): string {
  const { workspace, journal, views } = context;
  const modals = views
    .people()
    .flatMap((user) => views.of(user).map((view) => `${user}: ${JSON.stringify(view.view)}`));
  return [
    section('messages', workspace.messages.filter((message) => !message.deleted).map(line)),
    section('modals', modals),
    section('latest calls', journal.calls.slice(-LATEST).map(callLine)),
    section('breaches', journal.breaches),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): string {
  return [`${title}:`, ...(lines.length > 0 ? lines : ['none']).map((text) => `  ${text}`)].join('\n');
}

function line(message: StoredMessage): string {
  const notes = [
    message.threadTs === undefined ? '' : ` in ${message.threadTs}`,
    message.onlyFor === undefined ? '' : ` only for ${message.onlyFor}`,
    message.editedTs === undefined ? '' : ' (edited)',
  ].join('');
  return `${message.channel} ${message.ts} ${message.user}${notes}: ${JSON.stringify(message.text)}`;
}

function callLine(call: ApiCall): string {
  return `${call.method} → ${call.status ?? 'no answer'} ${JSON.stringify(call.answer ?? '').slice(0, 160)}`;
}
