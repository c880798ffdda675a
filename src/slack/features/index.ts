import type { FeatureParts } from '../front/context.ts';
import { accept } from './accept/index.ts';
import { ask } from './ask/index.ts';
import { browse } from './browse/index.ts';
import { caseText } from './case-text/index.ts';
import { compare } from './compare/index.ts';
import { controls } from './controls/index.ts';
import { details } from './details/index.ts';
import { exports } from './export/index.ts';
import { home } from './home/index.ts';
import { onIt } from './on-it/index.ts';
import { remind } from './remind/index.ts';
import { unfurl } from './unfurl/index.ts';
import { upgrade } from './upgrade/index.ts';
import { wait } from './wait/index.ts';
import { watch } from './watch/index.ts';

/**
 * Every feature of the bot: deleting its folder and its name here removes one, but for `watch` and `wait`. `watching` and
 * `join` are what these two give to those who accept requests and draw messages.
 */
export function featuresOf(parts: FeatureParts) {
  const watcher = watch(parts);
  const { watching } = watcher;
  const waiter = wait(parts);
  // In the order in which they stand in the window behind ⋯.
  const offered = [compare, upgrade, caseText, browse, remind(parts, watching), watcher, exports];
  const controlling = controls(offered.flatMap(({ menu = [] }) => menu));
  const others = [ask, controlling, details, waiter, home(parts), onIt, accept, unfurl(parts)];
  return { features: [...others, ...offered], join: waiter.join, watching };
}
