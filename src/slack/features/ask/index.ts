import type { Feature } from '../../front/feature.ts';
import { listenToAppLife } from './app-life.ts';
import { listenToChoices } from './choose.ts';
import { listenToCommands, type OtherFeatures } from './command.ts';
import { listenToDirectMessages } from './direct-message.ts';
import { listenToLookUps } from './look-up.ts';
import { listenToMentions } from './mention.ts';
import { listenToShortcuts } from './shortcuts.ts';
import { listenToUserGroups } from './user-groups.ts';

/** Every way to ask for a snapshot, and the life of the app itself. */
export function ask(others: OtherFeatures): Feature {
  return {
    listen: (on, context) => {
      listenToCommands(on, context, others);
      listenToMentions(on, context);
      listenToDirectMessages(on, context);
      listenToShortcuts(on, context);
      listenToLookUps(on, context);
      listenToChoices(on, context);
      listenToUserGroups(on, context);
      listenToAppLife(on, context);
    },
  };
}
