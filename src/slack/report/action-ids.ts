/** The action ids of controls. Some get a suffix that makes them unique in their message or window. */
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
  /** The report of the later one of two snapshots. */
  report: 'report',
  /** The value is the request of a comparison. */
  compare: 'compare-last',
  /** The value is the command that may be meant. */
  didYouMean: 'did-you-mean',
  /** "Keep waiting" and "Try again". */
  askAgain: 'ask-again',
  cancel: 'cancel',
  tellMe: 'tell-me-too',
  lookUp: 'open-look-up',
  myLookups: 'my-lookups',
  commands: 'all-commands',
  devices: 'my-devices',
  again: 'look-up-again-',
} as const;
