import type { FeatureParts } from '../front/context.ts';
import { accept } from './accept/index.ts';
import { ask } from './ask/index.ts';
import { browse } from './browse/index.ts';
import { caseText } from './case-text/index.ts';
import { compare } from './compare/index.ts';
import { controls } from './controls/index.ts';
import { details } from './details/index.ts';
import { exports } from './export/index.ts';
import { follow } from './follow/index.ts';
import { home } from './home/index.ts';
import { onIt } from './on-it/index.ts';
import { unfurl } from './unfurl/index.ts';
import { upgrade } from './upgrade/index.ts';
import { wait } from './wait/index.ts';

/**
 * Every feature of the bot: deleting its folder and its name here removes one, but for `follow` and `wait`. `following` and
 * `join` are what these two give to others.
 */
export function featuresOf(parts: FeatureParts) {
  const follower = follow(parts);
  const waiter = wait(parts);
  // In the order in which they stand in the window behind ⋯.
  const offered = [compare, upgrade, caseText, browse, follower, exports];
  const controlling = controls(offered.flatMap(({ menu = [] }) => menu));
  const others = [ask, controlling, details, waiter, home(parts), onIt, accept, unfurl(parts)];
  return { features: [...others, ...offered], join: waiter.join, following: follower.following };
}
