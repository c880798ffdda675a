import { isRecord, type Json } from '../emulators/slack/json.ts';

/** Every object inside blocks, however deep, in the order in which they are shown. */
export function objectsIn(value: unknown): Json[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isRecord(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}

/** The texts of one kind of text object or element in blocks. */
export function textsOf(value: unknown, type: 'mrkdwn' | 'plain_text' | 'text'): string[] {
  return objectsIn(value)
    .filter((object) => object.type === type)
    .map(({ text }) => String(text));
}

/** The values of the buttons with this action id. */
export function valuesOf(value: unknown, actionId: string): string[] {
  return objectsIn(value)
    .filter((object) => object.action_id === actionId)
    .map((object) => String(object.value));
}

const LIVE = [
  { what: 'an unescaped bracket', pattern: /[<>]/ },
  { what: 'an unescaped ampersand', pattern: /&(?!(?:amp|lt|gt);)/ },
  { what: 'bold, italic, struck or code', pattern: /[*_~`]/ },
  { what: 'a mention', pattern: /@/ },
  { what: 'a link', pattern: /:\/\// },
  { what: 'a picture', pattern: /:[\w+'-]+:/ },
];

/** The parts of a text that Slack would take for markup. */
export function liveMarkup(text: string): string[] {
  return LIVE.filter(({ pattern }) => pattern.test(text)).map(({ what }) => what);
}
