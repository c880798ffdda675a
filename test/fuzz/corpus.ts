/** Small valid inputs as seeds: each kind of delivery, command, message and document. */

const VIEW_STATE =
  '{"id":"1001","set":"hit","filter":"critical.high/with","page":0,"by":"U0ANA","at":1,"turn":0}';
const PERSON = '"user":{"id":"U0ANA","team_id":"T0HOME"},"team":{"id":"T0HOME"},"trigger_id":"1.2.3"';

export const DELIVERIES: readonly string[] = [
  '{"command":"/snapshot","text":"1012 hit","user_id":"U0ANA","team_id":"T0HOME","channel_id":"C0SUPPORT","trigger_id":"1.2.3","response_url":"https://hooks.slack.com/commands/T/1/x"}',
  '{"type":"event_callback","team_id":"T0HOME","event_id":"Ev1","is_ext_shared_channel":false,"event":{"type":"app_mention","user":"U0ANA","team":"T0HOME","channel":"C0SUPPORT","text":"<@U0BOT> 1012","ts":"1.2"}}',
  '{"type":"event_callback","team_id":"T0HOME","event":{"type":"message","channel_type":"im","user":"U0ANA","team":"T0HOME","channel":"D0ANABOT","text":"1012","ts":"1.2","subtype":"file_share"}}',
  '{"type":"event_callback","team_id":"T0HOME","event":{"type":"app_home_opened","user":"U0ANA","channel":"D0ANABOT","tab":"home"}}',
  `{"type":"block_actions",${PERSON},"channel":{"id":"C0SUPPORT"},"container":{"type":"message","channel_id":"C0SUPPORT","message_ts":"1.2"},"message":{"thread_ts":"1.1"},"response_url":"https://hooks.slack.com/actions/T/1/x","actions":[{"type":"button","action_id":"page-next","block_id":${JSON.stringify(VIEW_STATE)}}]}`,
  `{"type":"view_submission",${PERSON},"view":{"id":"V1","type":"modal","callback_id":"look-up","private_metadata":"{\\"channel\\":\\"C0SUPPORT\\"}","state":{"values":{"where":{"where":{"type":"conversations_select","selected_conversation":"C0RANDOM"}}}}},"response_urls":[{"channel_id":"C0RANDOM","response_url":"https://hooks.slack.com/app/T/1/x"}]}`,
  `{"type":"shortcut",${PERSON},"callback_id":"look-up-snapshot"}`,
  `{"type":"message_action",${PERSON},"callback_id":"diagnose-snapshot","channel":{"id":"C0SUPPORT"},"message":{"text":"see https://x.example/26808463","files":[{"name":"26808470.tgz"}]},"message_ts":"1.2","response_url":"https://hooks.slack.com/actions/T/1/x"}`,
];

export const VALUES: readonly string[] = [
  VIEW_STATE,
  '{"id":"1001","set":"all","before":"1000","show":"new","hit":3,"name":"D000162521","part":0}',
  '{"channel":"C0SUPPORT","message":"1.2","thread":"1.1","id":"1001"}',
  '{"channel":"C0SUPPORT","threadTs":"1.1","response":{"url":"https://hooks.slack.com/x","expiresAt":5}}',
  '{"lookup":"5d1f","by":"U0ANA"}',
  'critical.high/with',
];

export const COMMANDS: readonly string[] = [
  '26808463 hit',
  'compare 26808463 26808470',
  '26808463 critical high cve "tmm core dump"',
  '<https://x.example/snapshots/26808463|26808463> miss',
  '<@U0BOT|snapshot> “26808463”, please',
  'help',
  'search CVE-2026-10000 in 1001',
];

export const DOCUMENTS: readonly string[] = [
  '<?xml version="1.0" encoding="UTF-8"?><diagnostic_output><diagnostics hit_count="1" miss_count="2"><diagnostic name="D000162521-1"><output>line 1\n2. <b>two</b></output><run_data><h_importance>HIGH</h_importance><match>true</match></run_data><results><h_action>Upgrade &amp;lt;now&amp;gt;</h_action><h_name>D1</h_name><h_sols><solution id="K1">https://x.example/K1</solution></h_sols><h_header>CVE-2026-1</h_header><h_summary><![CDATA[a < b]]></h_summary><h_cve_ids><h_cve_ids>CVE-2026-1</h_cve_ids></h_cve_ids><fixedInVersions><version><major>17</major><minor>1</minor><maintenance/><point>4</point><fix></fix></version></fixedInVersions></results></diagnostic></diagnostics><sha1>ab</sha1><system_information><hostname>h</hostname></system_information><version><version>17.1</version></version></diagnostic_output>',
  '<diagnostic_output><diagnostics/></diagnostic_output>',
];
