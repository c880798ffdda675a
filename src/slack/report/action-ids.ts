/** What the controls of messages and windows are called. Behind some of them stands what makes each one its own. */
export const ACTION = {
  /** Open the list, with all hits, all passed checks, or its search. */
  all: 'all-hits',
  checks: 'checks',
  search: 'search',
  filter: 'filter',
  page: 'page-',
  /** Opens a hit; behind it stands its number in the message. */
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
  /** Posts for everybody what only the asker sees. */
  postHere: 'post-here',
  /** Asks for the report of the later one of two snapshots. */
  report: 'report',
  /** Compares two snapshots; its value is that request. */
  compare: 'compare-last',
  /** Asks for what was meant by a word; its value is a command. */
  didYouMean: 'did-you-mean',
  /** "Keep waiting" and "Try again" ask the same question anew, in the same message. */
  askAgain: 'ask-again',
  cancel: 'cancel',
  /** Who presses it is mentioned when the wait is over. */
  tellMe: 'tell-me-too',
  /** Opens the form that asks for a snapshot. */
  lookUp: 'open-look-up',
  myLookups: 'my-lookups',
  commands: 'all-commands',
  devices: 'my-devices',
  /** Looks a device up once more; behind it stands the snapshot. */
  again: 'look-up-again-',
} as const;
