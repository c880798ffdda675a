/** The action ids of buttons and menus. Some get a suffix, because Slack requires unique ids in a message or window. */
export const ACTION = {
  all: 'all-hits',
  checks: 'checks',
  search: 'search',
  filter: 'filter',
  page: 'page-',
  details: 'details',
  previous: 'previous',
  next: 'next',
  share: 'share',
  accept: 'accept',
  takeBack: 'take-back',
  ticket: 'ticket',
  own: 'own',
  handOver: 'hand-over',
  menu: 'more',
  postHere: 'post-here',
  /** Opens the report of the later of two compared snapshots. */
  report: 'report',
  /** The button's value is the comparison to make. */
  compare: 'compare-last',
  /** The button's value is the suggested command. */
  didYouMean: 'did-you-mean',
  /** The buttons “Keep waiting” and “Try again”. */
  askAgain: 'ask-again',
  cancel: 'cancel',
  tellMe: 'tell-me-too',
  lookUp: 'open-look-up',
  myLookups: 'my-lookups',
  commands: 'all-commands',
  devices: 'my-devices',
  again: 'look-up-again-',
} as const;
