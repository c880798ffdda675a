import type { types } from '@slack/bolt';
import type { Asked } from '../../../core/lookup.ts';
import type { KnownDevice } from '../../../lookups/people.ts';
import { type Message, notice } from '../../blocks/blocks.ts';
import { type Named, type ParsedCommand, parseCommand } from '../../commands/parse-command.ts';
import { accept, type EntryPoint } from '../../front/accept.ts';
import type { ListenerContext } from '../../front/context.ts';
import { devicesWindow, foundDevice, whichDevice } from '../../report/devices.ts';
import { helpMessage, NO_STATUS_HERE, slipMessage, statusFor } from '../../report/help.ts';

const DEVICES_IN_WINDOW = 'Your devices open in a window: type /snapshot devices.';

/** A delivery whose text is a command. */
export type TextEntryPoint = EntryPoint & {
  /** What precedes the text: the name of the command, or a mention of the bot. */
  readonly command: string;
  /** Sends this reply instead of a result, and acknowledges the delivery. */
  readonly reply: (message: Message) => Promise<unknown>;
  /** Shows the result in a window. Absent if Slack allows no window, or if only the asker sees the answer anyway. */
  readonly showAlone?: (asked: Asked) => Promise<void>;
  /** Opens a window for the asker, and acknowledges the delivery. Only slash commands can; only they answer `status`. */
  readonly open?: (view: types.ModalView) => Promise<void>;
};

/**
 * Does what a parsed command asks for. Commands, mentions and direct messages all end here, and differ only in their
 * entry point. Throws the errors of `accept`.
 */
export async function dispatch(
  parsed: ParsedCommand,
  entry: TextEntryPoint,
  context: ListenerContext,
): Promise<unknown> {
  const { user } = entry.destination;
  const say = (problem?: string) =>
    entry.reply(problem === undefined ? helpMessage(entry.command) : slipMessage(entry.command, problem));
  switch (parsed.kind) {
    case 'usage': {
      const { named, problem } = parsed;
      const found = named === undefined ? [] : await context.people.named(user, named.name);
      return named && found.length > 0 ? askByName(named, found, entry, context) : say(problem);
    }
    case 'lookup': {
      const { kind: _kind, isForMe, ...asked } = parsed;
      if (!isForMe || entry.showAlone === undefined) return accept(asked, entry, context);
      context.fairShare.payFor(user, asked);
      return entry.showAlone(asked);
    }
    case 'status':
      return entry.open ? entry.reply(await statusFor(user, context)) : say(NO_STATUS_HERE);
    case 'devices': {
      if (entry.open === undefined) return say(DEVICES_IN_WINDOW);
      const { devices } = await context.people.of(user);
      return entry.open(devicesWindow(devices, user));
    }
    case 'watch': {
      const { snapshotId } = parsed;
      const refusal = await context.following.refusal(user, snapshotId);
      if (refusal !== undefined) return entry.reply(notice(refusal));
      // The lookup starts a follow when it has a result.
      return accept({ question: { snapshotId, set: 'all' }, watch: true }, entry, context);
    }
    case 'unwatch':
      return entry.reply(notice(await context.following.stop(user, parsed.snapshotId)));
    default:
      return parsed satisfies never;
  }
}

/** Looks up the newest snapshot of the named device, and tells the asker its id; asks back if several devices match. */
async function askByName(
  named: Named,
  found: readonly KnownDevice[],
  entry: TextEntryPoint,
  context: ListenerContext,
): Promise<unknown> {
  const [device, ...others] = found;
  if (device === undefined || others.length > 0) return entry.reply(whichDevice(named, found));
  const acknowledge = async () => void (await entry.reply(foundDevice(named, device)));
  const asked = parseCommand(`${device.snapshotId} ${named.rest}`, context.serviceHosts);
  return dispatch(asked, { ...entry, acknowledge }, context);
}
