import type { Channel, User } from './model.ts';

/** The ids of the workspace, the app and the bot, the same in every emulator. */
export const TEAM = {
  id: 'T0HOME',
  domain: 'emulator',
  otherId: 'T0OTHER',
  /** The second workspace, in an Enterprise Grid organisation. */
  sisterId: 'T0SISTER',
  enterpriseId: 'E0GRID',
  enterpriseName: 'Emulator Grid',
  appId: 'A0SNAPSHOT',
  botId: 'B0SNAPSHOT',
  botUser: 'U0SNAPSHOT',
  botName: 'snapshot',
} as const;

/** The people and conversations of a new workspace. */
export interface Seed {
  readonly users: readonly User[];
  readonly channels: readonly Channel[];
}

function person(id: string, name: string, realName: string, teamId: string = TEAM.id): User {
  return { id, name, realName, teamId, isBot: false };
}

/** A conversation with these members. */
export function conversation(
  id: string,
  name: string,
  kind: Channel['kind'],
  members: readonly string[],
  flags: { readonly shared?: boolean; readonly archived?: boolean } = {},
): Channel {
  const { shared = false, archived = false } = flags;
  return { id, name, kind, shared, archived, members: new Set(members) };
}

const ANA = 'U0ANA';
const BEN = 'U0BEN';
const GUEST = 'U0GUEST';
const MIA = 'U0MIA';
const SAM = 'U0SAM';
const DANA = 'U0DANA';
const INTAKE = 'U0INTAKE';

/**
 * One person and one conversation of each kind that Slack's rules distinguish. An Enterprise Grid organisation also has
 * a colleague in the other workspace.
 */
export function smallCompany({
  isGrid = false,
  others = 0,
}: {
  readonly isGrid?: boolean;
  readonly others?: number;
} = {}): Seed {
  const staff = [ANA, BEN];
  const more = Array.from({ length: others }, (_, index) =>
    person(`U0MORE${index}`, `more${index}`, `Number ${index}`),
  );
  const sisters = isGrid ? [person(DANA, 'dana', 'Dana of the sister company', TEAM.sisterId)] : [];
  const inSupport = [
    ...staff,
    ...more.map(({ id }) => id),
    MIA,
    SAM,
    INTAKE,
    ...sisters.map(({ id }) => id),
    TEAM.botUser,
  ];
  return {
    users: [
      person(ANA, 'ana', 'Ana Almeida'),
      { ...person(BEN, 'ben', 'Ben Okafor'), zone: 'Asia/Tokyo' },
      person(GUEST, 'guest', 'Gus of another company', TEAM.otherId),
      { ...person(MIA, 'mia', 'Mia, a guest'), guest: 'multi-channel' },
      { ...person(SAM, 'sam', 'Sam, a guest'), guest: 'single-channel' },
      ...sisters,
      ...more,
      { id: INTAKE, name: 'case-intake', realName: 'Case Intake', teamId: TEAM.id, isBot: true },
      { id: TEAM.botUser, name: TEAM.botName, realName: 'Snapshot', teamId: TEAM.id, isBot: true },
    ],
    channels: [
      conversation('C0SUPPORT', 'support', 'public', inSupport),
      conversation('C0RANDOM', 'random', 'public', staff),
      conversation('C0SECRET', 'secret', 'private', staff),
      conversation('C0WARROOM', 'war-room', 'private', [...staff, MIA, TEAM.botUser]),
      conversation('C0PARTNERS', 'partners', 'public', [...staff, GUEST, TEAM.botUser], { shared: true }),
      conversation('C0OLDNEWS', 'old-news', 'public', [...staff, TEAM.botUser], { archived: true }),
      conversation('D0ANABOT', 'dm-ana', 'im', [ANA, TEAM.botUser]),
      conversation('D0ANABEN', 'ana-and-ben', 'im', staff),
    ],
  };
}
