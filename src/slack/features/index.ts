import type { FeatureParts } from '../front/context.ts';
import { accept } from './accept/index.ts';
import { ask } from './ask/index.ts';
import { caseText } from './case-text/index.ts';
import { compare } from './compare/index.ts';
import { devices } from './devices/index.ts';
import { exports } from './export/index.ts';
import { follow } from './follow/index.ts';
import { home } from './home/index.ts';
import { owner } from './owner/index.ts';
import { read } from './read/index.ts';
import { unfurl } from './unfurl/index.ts';
import { wait } from './wait/index.ts';

/**
 * Every feature of the bot: deleting its folder and its name here removes one, but for `follow` and `wait`. `following` and
 * `join` are what these two give to others.
 */
export function featuresOf(parts: FeatureParts) {
  const follower = follow(parts);
  const waiter = wait(parts);
  const offered = [compare, caseText, follower, exports];
  const reading = read(offered.flatMap(({ menu = [] }) => menu));
  const others = [ask, reading, waiter, home(parts), devices, owner, accept, unfurl(parts)];
  return { features: [...others, ...offered], join: waiter.join, following: follower.following };
}
