import type { ReactNode } from 'react';
import { record, records, string } from '../../emulators/slack/json.ts';
import type { Json } from '../wire.ts';
import { useDemo } from './demo-context.ts';
import { inOrder } from './page-data.ts';

/** The bot's emoji and their CSS classes, so that the page needs no emoji font. */
const EMOJI: Readonly<Record<string, string>> = {
  '🔴': 'critical',
  '🔶': 'high',
  '🟡': 'medium',
  '⚪': 'low',
  '✅': 'passed',
  '⏳': 'waiting',
  '⚠️': 'warning',
  '⛔': 'refused',
};
const ONE_EMOJI = new RegExp(`(${Object.keys(EMOJI).join('|')})`, 'u');

/** Plain text, without markup. */
export function Words({ children }: { children: string }) {
  return inOrder(children.split(ONE_EMOJI)).map(({ one, key }) => {
    const emoji = EMOJI[one];
    if (emoji === undefined) return one;
    return (
      <span key={key} className={`emoji ${emoji}`}>
        {one}
      </span>
    );
  });
}

export function TextObject({ text }: { text: unknown }) {
  const { type, text: words } = record(text);
  return type === 'mrkdwn' ? <Markup>{string(words)}</Markup> : <Words>{string(words)}</Words>;
}

const TOKEN = /<([^<>]+)>|\*(?=\S)([^*\n]+)\*|_(?=\S)([^_\n]+)_|`([^`\n]+)`/g;

/** The part of Slack's mrkdwn that the bot and the people of the demo use. */
function Markup({ children: source }: { children: string }): ReactNode {
  const parts: ReactNode[] = [];
  let last = 0;
  for (const match of source.matchAll(TOKEN)) {
    const [all, link, bold, italic, code] = match;
    parts.push(<Words key={`before ${match.index}`}>{unescaped(source.slice(last, match.index))}</Words>);
    const key = match.index;
    if (link !== undefined) parts.push(<Link key={key} source={link} />);
    else if (bold !== undefined)
      parts.push(
        <b key={key}>
          <Markup>{bold}</Markup>
        </b>,
      );
    else if (italic !== undefined)
      parts.push(
        <i key={key}>
          <Markup>{italic}</Markup>
        </i>,
      );
    else parts.push(<code key={key}>{unescaped(code ?? '')}</code>);
    last = match.index + all.length;
  }
  return [...parts, <Words key="end">{unescaped(source.slice(last))}</Words>];
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** The content of angle brackets: a mention of a person or channel, a date or a link. */
function Link({ source }: { source: string }) {
  const [target = '', label] = source.split('|');
  if (target.startsWith('@')) return <Mention id={target.slice(1)} />;
  if (target.startsWith('#')) return <Mention id={target.slice(1)} />;
  const [, seconds, format] = /^!date\^(\d+)\^([^^]*)/.exec(target) ?? [];
  if (seconds !== undefined) return dateText(Number(seconds), format ?? '');
  return <Address url={unescaped(target)}>{unescaped(label ?? target)}</Address>;
}

function Mention({ id }: { id: string }) {
  const { people, channels } = useDemo().state;
  const person = people.find((one) => one.id === id);
  const channel = channels.find((one) => one.id === id);
  const name = person === undefined ? `#${channel?.name ?? id}` : `@${person.name}`;
  return <span className="mention-of">{name}</span>;
}

function Address({ url, children }: { url: string; children: string }) {
  if (!/^https?:/i.test(url)) return <Words>{children}</Words>;
  return (
    <a href={url} target="_blank" rel="noreferrer">
      <Words>{children}</Words>
    </a>
  );
}

const DAY_MS = 24 * 3_600_000;
const NEAR = new Map([
  [-1, 'yesterday'],
  [0, 'today'],
  [1, 'tomorrow'],
]);
const MONTHS = { short: 'short', long: 'long', plain: 'long' } as const;

/**
 * A time in Slack's format and in the time zone of this machine:
 * https://docs.slack.dev/messaging/formatting-message-text
 */
function dateText(seconds: number, format: string): string {
  const date = new Date(seconds * 1_000);
  const midnight = (at: Date) => new Date(at).setHours(0, 0, 0, 0);
  const near = NEAR.get(Math.round((midnight(date) - midnight(new Date())) / DAY_MS));
  const days = format.replace(
    /\{date(_short|_long|_num)?(_pretty)?\}/g,
    (_all, kind = '', pretty, at: number) => {
      if (pretty !== undefined && near !== undefined)
        return at === 0 ? near.replace(/^./, (first) => first.toUpperCase()) : near;
      if (kind === '_num') return date.toLocaleDateString('sv');
      const month = MONTHS[kind === '_short' ? 'short' : 'long'];
      const weekday = kind === '_long' ? ({ weekday: 'long' } as const) : {};
      return date.toLocaleDateString('en', { ...weekday, day: 'numeric', month, year: 'numeric' });
    },
  );
  return days.replace(
    /\{time(_secs)?\}/g,
    date.toLocaleTimeString('en', { hour: 'numeric', minute: '2-digit' }),
  );
}

/** The paragraphs of a rich text. */
export function RichText({ block }: { block: Json }) {
  return inOrder(records(block.elements)).map(({ one: part, key }) => {
    const Paragraph = part.type === 'rich_text_preformatted' ? 'pre' : 'p';
    return (
      <Paragraph key={key}>
        {inOrder(records(part.elements)).map((inline) => (
          <Inline key={inline.key} one={inline.one} />
        ))}
      </Paragraph>
    );
  });
}

function Inline({ one }: { one: Json }) {
  const { bold, italic, code } = record(one.style);
  const inner = <Plain one={one} />;
  if (code === true) return <code>{inner}</code>;
  if (bold === true) return <b>{inner}</b>;
  return italic === true ? <i>{inner}</i> : inner;
}

function Plain({ one }: { one: Json }) {
  switch (one.type) {
    case 'user':
      return <Mention id={string(one.user_id)} />;
    case 'channel':
      return <Mention id={string(one.channel_id)} />;
    case 'link':
      return <Address url={string(one.url)}>{string(one.text) || string(one.url)}</Address>;
    case 'date':
      return dateText(Number(one.timestamp), string(one.format));
    default:
      return <Words>{string(one.text)}</Words>;
  }
}
