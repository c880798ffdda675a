import type { Accepting, FeatureParts, Join, Watching } from '../front/context.ts';
import type { Feature } from '../front/feature.ts';
import { accept } from './accept/index.ts';
import { ask } from './ask/index.ts';
import { browse } from './browse/index.ts';
import { caseText } from './case-text/index.ts';
import { compare } from './compare/index.ts';
import { details } from './details/index.ts';
import { exports } from './export/index.ts';
import { home } from './home/index.ts';
import { more } from './more/index.ts';
import { onIt } from './on-it/index.ts';
import { remind } from './remind/index.ts';
import { search } from './search/index.ts';
import { tellWhenOver } from './tell-when-over/index.ts';
import { unfurl } from './unfurl/index.ts';
import { upgrade } from './upgrade/index.ts';
import { wait } from './wait/index.ts';
import { watch } from './watch/index.ts';

/**
 * Every feature of the bot: deleting a line and its folder removes one. `join`, `watching` and `accepting`: what is passed to those
 * who accept requests and draw messages.
 */
export function featuresOf(parts: FeatureParts): {
  features: readonly Feature[];
  join: Join;
  watching: Watching;
  accepting: Accepting;
} {
  const accepter = accept(parts);
  const { accepting } = accepter;
  const watcher = watch(parts, accepting);
  // In the order in which they stand in the window behind ⋯.
  const offered = [
    details,
    search,
    compare,
    upgrade,
    caseText,
    browse,
    remind(parts, watcher.watching),
    watcher,
    exports,
  ];
  const telling = tellWhenOver(parts);
  const features = [
    ask,
    ...offered,
    more(offered.flatMap(({ menu = [] }) => menu)),
    wait,
    home(parts),
    telling,
    onIt,
    accepter,
    unfurl(parts, accepting),
  ];
  return { features, join: telling.join, watching: watcher.watching, accepting };
}
