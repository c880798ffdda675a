import { z } from 'zod';
import { isRecord, records, sameJson } from '../json.ts';
import { elementsOf } from './elements.ts';

/** Where blocks are shown; each surface allows a different number of blocks. */
export type Surface = 'message' | 'modal' | 'home';

const flag = z.boolean().optional();

/** A string of at most `max` characters; it may be empty only where `min` is 0. */
export const string = (max: number, min = 1) => z.string().min(min).max(max);

const id = string(255).optional();
const url = string(3000).regex(/^https?:\/\/\S+$/i);

/** A plain text object. */
export const plain = (max: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: string(max), emoji: flag });
const text = (max: number) =>
  z.discriminatedUnion('type', [
    plain(max),
    z.strictObject({ type: z.literal('mrkdwn'), text: string(max), verbatim: flag }),
  ]);

function areDistinct(items: readonly unknown[], key: 'block_id' | 'action_id'): boolean {
  const ids = records(items).flatMap((item) => item[key] ?? []);
  return new Set(ids).size === ids.length;
}

const BUTTON = z.strictObject({
  ...{ type: z.literal('button'), action_id: id, text: plain(75), url: url.optional() },
  value: string(2000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  accessibility_label: string(75).optional(),
  confirm: z
    .strictObject({
      ...{ title: plain(100), text: text(300), confirm: plain(30), deny: plain(30) },
      style: z.enum(['primary', 'danger']).optional(),
    })
    .optional(),
});
const optionsWith = (label: z.ZodType, most: number) =>
  z
    .array(z.strictObject({ text: label, value: string(75) }))
    .min(1)
    .max(most);
const OVERFLOW = z.strictObject({
  ...{ type: z.literal('overflow'), action_id: id, options: optionsWith(plain(75), 5) },
});

const focus = { action_id: id, focus_on_load: flag };
const field = { ...focus, placeholder: plain(150).optional() };
const TEXT_INPUT = z.strictObject({
  ...{ type: z.literal('plain_text_input'), ...field, multiline: flag },
  initial_value: string(3000, 0).optional(),
  max_length: z.int().min(1).max(3000).optional(),
});

type Choice = { readonly options: readonly unknown[]; readonly initial_option?: unknown };
const isOffered = ({ options, initial_option: initial }: Choice) =>
  initial === undefined || options.some((option) => sameJson(option, initial));
const NOT_OFFERED = 'the initial option must exactly match one of the options';
const MENU = z
  .strictObject({
    ...{ type: z.literal('static_select'), ...field, initial_option: z.unknown().optional() },
    options: optionsWith(plain(75), 100),
  })
  .refine(isOffered, NOT_OFFERED);
const RADIO_BUTTONS = z
  .strictObject({
    ...{ type: z.literal('radio_buttons'), ...focus, initial_option: z.unknown().optional() },
    options: optionsWith(text(75), 10),
  })
  .refine(isOffered, NOT_OFFERED);
const USERS = z.strictObject({
  ...{ type: z.literal('users_select'), ...field, initial_user: string(255).optional() },
});
const CONVERSATIONS = z.strictObject({
  ...{ type: z.literal('conversations_select'), ...field, default_to_current_conversation: flag },
  response_url_enabled: flag,
});

const style = z.strictObject({ bold: flag, italic: flag, code: flag }).optional();
const WORDS = z.strictObject({ type: z.literal('text'), style, text: string(40_000) });
const LINK = z.strictObject({ type: z.literal('link'), style, url, text: string(40_000).optional() });
const INLINES = [
  ...([WORDS, LINK] as const),
  z.strictObject({ type: z.literal('user'), style, user_id: string(255) }),
  z.strictObject({ type: z.literal('channel'), style, channel_id: string(255) }),
  z.strictObject({
    ...{ type: z.literal('date'), style, timestamp: z.int(), format: string(255) },
    fallback: string(255).optional(),
  }),
] as const;
const PARAGRAPHS = z
  .array(
    z.discriminatedUnion('type', [
      z.strictObject({
        type: z.literal('rich_text_section'),
        elements: z.array(z.discriminatedUnion('type', INLINES)),
      }),
      z.strictObject({
        type: z.literal('rich_text_preformatted'),
        elements: z.array(z.discriminatedUnion('type', [WORDS, LINK])),
      }),
    ]),
  )
  .min(1);

const CELL = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('rich_text'), elements: PARAGRAPHS }),
  z.strictObject({ type: z.literal('raw_text'), text: string(10_000) }),
]);
const MOST_IN_CELLS = 10_000;
/** Every row has as many cells as the first row; the total number of cells is limited, too. */
const TABLE = z
  .strictObject({
    ...{ type: z.literal('table'), block_id: id },
    column_settings: z
      .array(z.strictObject({ align: z.enum(['left', 'center', 'right']).optional(), is_wrapped: flag }))
      .min(1)
      .max(20)
      .optional(),
    rows: z.array(z.array(CELL).min(1).max(20)).min(1).max(100),
  })
  .refine(({ rows }) => rows.every((row) => row.length === rows[0]?.length), 'rows of different lengths')
  .refine(({ rows }) => lettersIn(rows) <= MOST_IN_CELLS, `over ${MOST_IN_CELLS} characters in all cells`);

function lettersIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + lettersIn(each), 0);
  if (!isRecord(value)) return 0;
  return (typeof value.text === 'string' ? value.text.length : 0) + lettersIn(value.elements);
}

const MOST = { message: 50, modal: 100, home: 100 } as const;

/**
 * The schema of a surface's blocks. It knows every type of block and element that the bot sends, and refuses all
 * others.
 */
export function blocksOf(surface: Surface) {
  const conversations = CONVERSATIONS.refine(
    (element) => surface === 'modal' || element.response_url_enabled !== true,
    'response_url_enabled is for modals only',
  );
  const anywhere = [MENU, RADIO_BUTTONS, USERS, conversations] as const;
  const button = z.discriminatedUnion('type', [BUTTON, OVERFLOW, ...anywhere]);
  const input = z.discriminatedUnion('type', [TEXT_INPUT, ...anywhere]);
  const block = z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('header'), block_id: id, text: plain(150) }),
    ...(surface === 'message' ? [TABLE] : []),
    z.strictObject({
      ...{ type: z.literal('section'), block_id: id, text: text(3000), accessory: button.optional() },
    }),
    z.strictObject({
      ...{ type: z.literal('context'), block_id: id, elements: z.array(text(3000)).min(1).max(10) },
    }),
    z
      .strictObject({
        ...{ type: z.literal('actions'), block_id: id, elements: z.array(button).min(1).max(25) },
      })
      .refine(({ elements }) => areDistinct(elements, 'action_id'), 'an action_id already exists'),
    z.strictObject({ type: z.literal('rich_text'), block_id: id, elements: PARAGRAPHS }),
    z.strictObject({
      ...{ type: z.literal('input'), block_id: id, label: plain(2000), hint: plain(2000).optional() },
      ...{ optional: flag, element: input },
    }),
  ]);
  const focused = (blocks: readonly unknown[]) =>
    records(blocks)
      .flatMap(elementsOf)
      .filter(({ focus_on_load }) => focus_on_load === true);
  return z
    .array(block)
    .max(MOST[surface])
    .refine((blocks) => areDistinct(blocks, 'block_id'), 'a block_id already exists')
    .refine(
      (blocks) => records(blocks).filter(({ type }) => type === 'table').length <= 1,
      'only_one_table_allowed',
    )
    .refine((blocks) => focused(blocks).length <= 1, 'only one element may have focus_on_load');
}
