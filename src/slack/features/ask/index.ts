import type { Feature } from '../../front/feature.ts';
import { listenToAppLife } from './app-life.ts';
import { listenToChoices } from './choose.ts';
import { listenToCommands } from './command.ts';
import { listenToDirectMessages } from './direct-message.ts';
import { listenToLookUps } from './look-up.ts';
import { listenToMentions } from './mention.ts';
import { listenToShortcuts } from './shortcuts.ts';

/** Every way to ask for a snapshot, and the life of the app itself. */
export const ask: Feature = {
  listen: (on, context) => {
    listenToCommands(on, context);
    listenToMentions(on, context);
    listenToDirectMessages(on, context);
    listenToShortcuts(on, context);
    listenToLookUps(on, context);
    listenToChoices(on, context);
    listenToAppLife(on, context);
  },
};
