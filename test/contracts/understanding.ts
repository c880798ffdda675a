/** The host that links of the service lead to in these cases, as in every world of tests. */
export const SERVICE = 'service.example.com';

/**
 * What people type, what it asks for as a command, and what in a message to the bot where that differs: `26808463 26808470`,
 * `1010 → 1011` for a comparison, `?` before what is searched for, `!` before what is filtered by.
 */
export type Case = readonly [typed: string, command: string, spoken?: string];

const SAFE =
  'https://eu1.safelinks.example.test/?url=https%3A%2F%2Fservice.example.com%2Fqv%2F26890010&amp;data=x';
const CHAT = 'chat';
const NO_ID = 'no id';
const LINK = 'no id in this link';

/** Links. */
const LINKS: readonly Case[] = [
  [`https://${SERVICE}/qv/26890010`, '26890010'],
  [`<https://${SERVICE}/snapshots/1012>`, '1012'],
  [`<https://${SERVICE}/snapshots/1012|the box>`, '1012'],
  [`https://${SERVICE}/#/snapshots/1012`, '1012'],
  [`https://${SERVICE}/view?id=1012&amp;page=20`, '1012'],
  [`https://${SERVICE}/view?page=20251101`, LINK],
  [`<https://${SERVICE}/snapshots/26808463?t=1763600000&amp;from=20251101>`, '26808463'],
  [`https://${SERVICE}/snapshots/26808463.`, '26808463'],
  [`https://${SERVICE}/snapshots/26808463を見て`, '26808463 ?を見て', '26808463'],
  [`https://${SERVICE}/qv/26808463,https://${SERVICE}/qv/26808470`, '26808463 26808470'],
  ['<https://mirror.example.org/26808463/hits|hits>', '26808463'],
  ['https://mirror.example.org/qkviews/1012/hits', '1012'],
  ['<https://short.example/xyz|26808463>', '26808463'],
  ['<tel:26808463|26808463>', '26808463'],
  [`${SAFE}&amp;reserved=0`, '26890010'],
  [`<${SAFE}|service> critical`, '26890010 !critical'],
  [
    'https://www.google.example/url?q=https://service.example.com/qv/26890010&amp;sa=D&amp;ust=1795167300000000',
    '26890010',
  ],
  ['https://urldefense.example/v3/__https://service.example.com/qv/26890010__;!!AbC!1234567$', '26890010'],
  [
    'https://linkprotect.example/fe?a=https%3a%2f%2fservice.example.com%2fqv%2f26890010&amp;c=E,1,x&amp;typo=1',
    '26890010',
  ],
  [`https://${SERVICE}/qv/26808463?back=https%3A%2F%2Fservice.example.com%2Fqv%2F26808470`, '26808463'],
  ['https://x.example/?page=2', LINK],
  ['<https://x.example/?page=2|https://x.example/?page=2>', LINK],
  ['https://git.example/team/repo/pull/443', LINK],
  ['https://x.example/list?limit=33', LINK],
  ['https://x.example/list?from=20251101', LINK],
  ['https://jira.example/browse/NET-4242?focusedId=1234567', LINK],
  ['https://desk.example/tickets/1234567', LINK],
  ['26808463 https://jira.example/browse/NET-4242', '26808463'],
  ['26808463 <https://nvd.example/vuln/detail/CVE-2026-10000>', '26808463 ?CVE-2026-10000'],
  ['26808463 <https://x.example/article/000100020>', '26808463 ?K000100020'],
  ['26808463 https://support.example/s/article/K000100032', '26808463 ?K000100032'],
];

/** One id, and what people say around it. */
const ONE: readonly Case[] = [
  ['26890001', '26890001'],
  ['please 26890001', '26890001'],
  ['pls 26890001', '26890001'],
  ['26890001 thanks!', '26890001'],
  ['thx, 26890001', '26890001'],
  ['hey, can you check 26890001 please?', '26890001'],
  ['can you show me 26890001', '26890001 me', '26890001'],
  ['what is wrong with 26890001?', '26890001 ?wrong', '26890001'],
  ['26890005 :pray:', '26890005'],
  ['26890005 🙏', '26890005'],
  [':eyes: 26890005 :+1:', '26890005'],
  ['26890003 cc @alice', '26890003'],
  ['26890003 cc <@U77>', '26890003'],
  ['26890004 <@U77|alice>', '26890004'],
  ['26890004 <#C12345678|net-1234567>', '26890004'],
  ['26890003 again', '26890003'],
  ['26890003 since 10:30', '26890003'],
  ['26890003 since 2026-11-20', '26890003'],
  ['26890003 since 20.11.2026', '26890003'],
  ['26890003 of today at 10:30 am', '26890003'],
  ['26890003 ticket INC0012345', '26890003'],
  ['26890006 (case 00412345)', '26890006'],
  ['case: 00412345 snapshot: 26890006', '26890006'],
  ['SR#1-1234567890, 26890006', '26890006'],
  ['case no 00412345 26890006', '26890006'],
  ['order 1234567: 26890006', '26890006'],
  ['26890013 crashed 2 times', '26890013 ?crashed,times', '26890013'],
  ['26890013 is down, call +49 30 1234567', '26890013 ?down,call', '26890013'],
  ['- 26890013', '26890013'],
  ['• 26890013', '26890013'],
  ['\u202A26890009\u202C', '26890009'],
  ['\u200e2689\u200d0009\ufeff', '26890009'],
  ['２６８９０００９', '26890009'],
  ['٢٦٨٩٠٠٠٩', '26890009'],
  ['२६८९०००९', '26890009'],
  ['スナップショット26808463を見て', '26808463'],
  ['снапшот 26808463', '26808463 ?снапшот', '26808463'],
  ['qkview_26808463_edge-7.tgz', '26808463'],
  ['edge-7_26808463_20261120.qkview', '26808463'],
  ['“26808463”', '26808463'],
  ['`26808463`', '26808463'],
  ['*26808463*', '26808463'],
  ['#26808463', '26808463'],
  ['id:26808463', '26808463'],
  ['id=26808463', '26808463'],
  ['&lt;26808463&gt;', '26808463'],
  ['2680846', '2680846'],
  ['268084633', '268084633'],
  ['1012', '1012'],
  ['1012 please', '1012'],
  ['snapshot 1012', '1012'],
  ['show snapshot 1012 on port 8443', '1012 ?port,8443', '1012'],
  ['Snapshot ID: 1012', '1012'],
  ['qkview 1012?', '1012'],
  ['12345678901234567890', '12345678901234567890'],
];

/** Several ids. */
const SEVERAL: readonly Case[] = [
  ['26860019 26860020', '26860019 26860020'],
  ['26860019,26860020', '26860019 26860020'],
  ['26860019;26860020', '26860019 26860020'],
  ['26860019/26860020', '26860019 26860020'],
  ['26860019 & 26860020', '26860019 26860020'],
  ['26860019 and 26860020', '26860019 26860020'],
  ['26860019 vs. 26860020', '26860019 26860020'],
  ['26860019 -> 26860020', '26860019 26860020'],
  ['26860019-26860020', '26860019 26860020'],
  ['26860019 to 26860025', '26860019 26860025'],
  ['1. 26860019\n2. 26860020', '26860019 26860020'],
  ['* 26860019\n* 26860020', '26860019 26860020'],
  ['26860019 (active) and 26860020 (standby)', '26860019 26860020'],
  ['before: 26860019, after: 26860020', '26860019 26860020 ?before,after', '26860019 26860020'],
  ['26860019 26860020 26860019', '26860019 26860020'],
  ['1014 1015 1016', '1014 1015 1016'],
  ['1014, 1015 and 1016', '1014 1015 1016'],
  ['snapshots 1014 and 1015 of the pair', '1014 1015 ?pair', '1014 1015'],
  ['compare 1010 1011', '1010 → 1011'],
  ['compare 26808470 with 26808463', '26808463 → 26808470'],
  ['26808463 compare 26808470', '26808463 → 26808470'],
  ['compare last 1011', 'last → 1011'],
];

/** Words beside an id. */
const WORDS: readonly Case[] = [
  ['26808463 hit', '26808463 !hit'],
  ['HIT 26808463', '26808463 !hit'],
  ['26808463 misses', '26808463 !miss'],
  ['26808463, critical and high please', '26808463 !critical high'],
  ['1001 critical cve', '1001 !critical cve'],
  ['26808463 is it critical?', '26808463 !critical', '26808463'],
  ['26808463 tmm “core dump”', '26808463 ?core dump,tmm', '26808463 ?core dump'],
  ['26808463 "hit"', '26808463 ?hit'],
  ['26808463 17.1.3', '26808463 ?17.1.3', '26808463'],
  ['26808463 cve-2026-10000', '26808463 ?CVE-2026-10000'],
  ['is CVE-2026-10000 on 26808463?', '26808463 ?CVE-2026-10000'],
  ['is cve 2026 10000 on 26808463?', '26808463 ?CVE-2026-10000'],
  ['1001 K000100032, CVE-2026-10000', '1001 ?K000100032,CVE-2026-10000'],
  ['26808463 CVE-2026-1234567', '26808463 ?CVE-2026-1234567'],
  ['26808463 H00040009', '26808463 ?H00040009'],
  ['26808463 all', '26808463'],
  ['26808463 me', '26808463 me'],
  ['26808463 help', '26808463'],
  ['watch 26808463', 'watch 26808463'],
  ['unwatch 1012 please', 'unwatch 1012'],
  ['26808463 hit miss', '26808463'],
  ['26808463 miss critical', 'Only hits can be filtered, not passed checks: leave out “miss”.'],
  ['watch 26808463 26808470', 'To watch a snapshot, type one id: “watch 26808463”.'],
  ['compare 26808463', 'To compare, type two ids, in any order; or “compare last” and one id.'],
  [
    'compare 26808463 26808470 critical',
    'A comparison shows everything that changed: type only the two ids.',
  ],
];

/** No id. */
const NONE: readonly Case[] = [
  ['help', 'help'],
  ['Help!', 'help'],
  ['?', 'help', CHAT],
  ['status', 'status'],
  ['edge-77', NO_ID, CHAT],
  ['10l2', NO_ID, CHAT],
  ['123', 'help', CHAT],
  ['26808463x is down', NO_ID, CHAT],
  ['INC1234567 is open', NO_ID, CHAT],
  ['case 00412345', 'help', CHAT],
  ['call +49 30 1234567', NO_ID, CHAT],
  ['are you free at 12:30 on 2026-11-20?', NO_ID, CHAT],
  ['we had 8443 restarts in 2026', NO_ID, CHAT],
  ['CVE-2026-1234567', NO_ID, CHAT],
  ['is it on 1001?', NO_ID, CHAT],
  ['good morning', NO_ID, CHAT],
];

export const CASES: readonly Case[] = [...LINKS, ...ONE, ...SEVERAL, ...WORDS, ...NONE];
