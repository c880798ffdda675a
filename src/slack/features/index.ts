import type { Feature, FeatureParts } from '../front/feature.ts';
import { listenToAskAgain } from '../listeners/ask-again.ts';
import { listenToBrowsing, openBrowsing } from '../listeners/browse.ts';
import { listenToCancel } from '../listeners/cancel.ts';
import { listenToCaseTexts } from '../listeners/case-text.ts';
import { listenToCompare } from '../listeners/compare.ts';
import { listenToCompareLast } from '../listeners/compare-last.ts';
import { listenToControls } from '../listeners/controls.ts';
import { listenToDetails } from '../listeners/details.ts';
import { listenToMenu } from '../listeners/menu.ts';
import { listenToMore } from '../listeners/more.ts';
import { listenToSearch } from '../listeners/search.ts';
import { listenToShow } from '../listeners/show.ts';
import { listenToTellMe } from '../listeners/tell-me.ts';
import { ask } from './ask/index.ts';
import { home } from './home/index.ts';
import { onIt } from './on-it/index.ts';
import { remind } from './remind/index.ts';
import { statusFor } from './status/index.ts';
import { upgrade } from './upgrade/index.ts';

/** Every feature of the bot: deleting a line and its folder removes one. */
export function featuresOf(parts: FeatureParts): readonly Feature[] {
  return [
    ask({ readAlone: openBrowsing, statusFor }),
    { listen: listenToControls },
    { listen: listenToMenu },
    { listen: listenToMore },
    { listen: listenToBrowsing },
    upgrade,
    { listen: listenToCaseTexts },
    remind(parts),
    { listen: listenToSearch },
    { listen: listenToCompare },
    { listen: listenToCompareLast },
    home(parts),
    { listen: listenToDetails },
    { listen: listenToAskAgain },
    { listen: listenToCancel },
    { listen: listenToTellMe },
    { listen: listenToShow },
    onIt,
  ];
}
