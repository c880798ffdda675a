import type { Join } from '../front/context.ts';
import type { Feature, FeatureParts } from '../front/feature.ts';
import { ask } from './ask/index.ts';
import { browse, openBrowsing } from './browse/index.ts';
import { caseText } from './case-text/index.ts';
import { compare } from './compare/index.ts';
import { details } from './details/index.ts';
import { exports } from './export/index.ts';
import { home } from './home/index.ts';
import { more } from './more/index.ts';
import { onIt } from './on-it/index.ts';
import { remind } from './remind/index.ts';
import { search } from './search/index.ts';
import { statusFor } from './status/index.ts';
import { tellWhenOver } from './tell-when-over/index.ts';
import { upgrade } from './upgrade/index.ts';
import { wait } from './wait/index.ts';

/** Every feature of the bot: deleting a line and its folder removes one. `join`: what is passed to those who accept. */
export function featuresOf(parts: FeatureParts): { features: readonly Feature[]; join: Join } {
  // In the order in which they stand behind "More…".
  const offered = [details, search, compare, upgrade, caseText, browse, remind(parts), exports];
  const telling = tellWhenOver(parts);
  const features = [
    ask({ readAlone: openBrowsing, statusFor }),
    ...offered,
    more(offered.flatMap(({ menu = [] }) => menu)),
    wait,
    home(parts),
    telling,
    onIt,
  ];
  return { features, join: telling.join };
}
