import type { FeatureParts } from '../front/context.ts';
import { accept } from './accept/index.ts';
import { ask } from './ask/index.ts';
import { caseText } from './case-text/index.ts';
import { compare } from './compare/index.ts';
import { devices } from './devices/index.ts';
import { exports } from './export/index.ts';
import { follow } from './follow/index.ts';
import { home, publish } from './home/index.ts';
import { owner } from './owner/index.ts';
import { read } from './read/index.ts';
import { unfurl } from './unfurl/index.ts';
import { wait } from './wait/index.ts';

/**
 * Every feature of the bot. To remove a feature, delete its folder and its name here. Other code needs only `following`
 * of `follow` and `noteAlone` of `home`.
 */
export function featuresOf(parts: FeatureParts) {
  const follower = follow(parts);
  const offered = [compare, caseText, follower, exports];
  const reading = read(offered.flatMap(({ menu = [] }) => menu));
  const homeTab = home(parts);
  const others = [ask, reading, wait(parts), homeTab, devices, owner(publish), accept, unfurl(parts)];
  const features = [...others, ...offered];
  return { features, noteAlone: homeTab.noteAlone, following: follower.following };
}
