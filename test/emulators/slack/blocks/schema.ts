import { z } from 'zod';
import { isRecord, type Json, sameJson } from '../json.ts';
import { optionsOf } from './options.ts';

/** Where blocks are shown: each surface allows other numbers of them. */
export type Surface = 'message' | 'modal' | 'home';

const flag = z.boolean().optional();
const LENGTH = 'must be an integer from 1 to 3000';
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A string of at most `max` characters; it may be empty only where `min` is 0. */
export const string = (max: number, min = 1) => z.string().min(min).max(max);

const url = string(3000).regex(/^https?:\/\/[^\s]+$/i, 'must be an http or https URL');

/** A plain text object. */
export const plain = (max: number) =>
  z.strictObject(
    { type: z.literal('plain_text', 'must be plain_text'), text: string(max), emoji: flag },
    { error: ({ code }) => (code === 'invalid_type' ? 'must be a text object' : undefined) },
  );
const text = (max: number) =>
  z.discriminatedUnion(
    'type',
    [plain(max), z.strictObject({ type: z.literal('mrkdwn'), text: string(max), verbatim: flag })],
    { error: ({ input }) => `must be ${isRecord(input) ? 'plain_text or mrkdwn' : 'a text object'}` },
  );

/** What is said of an object whose type is none of these: the fault is the object's, not that of its type. */
const unsupported = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    isRecord(input)
      ? `unsupported type: ${JSON.stringify(input.type)} cannot be in this place`
      : `must be ${what}`,
});

const optionWith = (label: z.ZodType) => z.strictObject({ text: label, value: string(75) });
const option = optionWith(plain(75));
const options = z.array(option).min(1).max(100);
const hasChoice = (element: Json) =>
  element.initial_option === undefined ||
  optionsOf(element).some((known) => sameJson(known, element.initial_option));
const CHOICE = 'the initial option must exactly match one of the options';

const action = { action_id: string(255).optional() };
const focus = { ...action, focus_on_load: flag };
const field = { ...focus, placeholder: plain(150).optional() };

const CONFIRM = z.strictObject({
  ...{ title: plain(100), text: text(300), confirm: plain(30), deny: plain(30) },
  style: z.enum(['primary', 'danger']).optional(),
});
const BUTTON = z.strictObject({
  ...{ type: z.literal('button'), ...action, text: plain(75), url: url.optional() },
  value: string(2000).optional(),
  style: z.enum(['primary', 'danger'], 'must be one of primary, danger').optional(),
  accessibility_label: string(75).optional(),
  confirm: CONFIRM.optional(),
});
const OVERFLOW = z.strictObject({
  ...{ type: z.literal('overflow'), ...action },
  options: z.array(option).min(1).max(5),
});
const TEXT_INPUT = z.strictObject({
  ...{ type: z.literal('plain_text_input'), ...field, multiline: flag },
  initial_value: string(3000, 0).optional(),
  max_length: z.int(LENGTH).min(1, LENGTH).max(3000, LENGTH).optional(),
});
const MENU = z
  .strictObject({
    ...{ type: z.literal('static_select'), ...field, initial_option: z.unknown().optional() },
    options: options.optional(),
    option_groups: z
      .array(z.strictObject({ label: plain(75), options }))
      .min(1)
      .max(100)
      .optional(),
  })
  .refine((menu) => (menu.options === undefined) !== (menu.option_groups === undefined), {
    error: 'must have either options or option_groups',
  })
  .refine(hasChoice, { error: CHOICE });
const RADIO_BUTTONS = z
  .strictObject({
    ...{ type: z.literal('radio_buttons'), ...focus, initial_option: z.unknown().optional() },
    options: z
      .array(optionWith(text(75)))
      .min(1)
      .max(10),
  })
  .refine(hasChoice, { error: CHOICE });
const USERS = z.strictObject({
  ...{ type: z.literal('users_select'), ...field, initial_user: string(255).optional() },
});
const DATEPICKER = z.strictObject({
  ...{ type: z.literal('datepicker'), ...field },
  initial_date: z.string().regex(DATE, `must match ${DATE.source}`).optional(),
});
const conversations = (surface: Surface) =>
  z
    .strictObject({
      ...{ type: z.literal('conversations_select'), ...field, response_url_enabled: flag },
      default_to_current_conversation: z.unknown().optional(),
    })
    .refine((element) => surface === 'modal' || element.response_url_enabled !== true, {
      error: 'response_url_enabled is for modals only',
    });

const style = z.strictObject({
  ...{ bold: flag, italic: flag, strike: flag, code: flag, underline: flag, highlight: flag },
  ...{ client_highlight: flag, unlink: flag },
});
const part = { style: style.optional() };
const WORDS = z.strictObject({ type: z.literal('text'), ...part, text: string(40_000) });
const LINK = z.strictObject({ type: z.literal('link'), ...part, url, text: string(40_000).optional() });
const INLINES = [
  ...([WORDS, LINK] as const),
  z.strictObject({ type: z.literal('user'), ...part, user_id: string(255) }),
  z.strictObject({ type: z.literal('channel'), ...part, channel_id: string(255) }),
  z.strictObject({
    ...{
      type: z.literal('date'),
      ...part,
      timestamp: z.int(),
      format: string(255),
      fallback: z.unknown().optional(),
    },
  }),
] as const;
/** The paragraphs that the bot sends; all others are refused. */
const PARAGRAPH = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('rich_text_section'),
      elements: z.array(z.discriminatedUnion('type', INLINES, unsupported('an object'))),
    }),
    z.strictObject({
      type: z.literal('rich_text_preformatted'),
      elements: z.array(z.discriminatedUnion('type', [WORDS, LINK], unsupported('an object'))),
    }),
  ],
  unsupported('an object'),
);

const RICH_TEXT = z.strictObject({ type: z.literal('rich_text'), elements: z.array(PARAGRAPH).min(1) });
const CELL = z.discriminatedUnion(
  'type',
  [RICH_TEXT, z.strictObject({ type: z.literal('raw_text'), text: string(10_000) })],
  unsupported('a cell'),
);
const COLUMN = z.strictObject({
  align: z.enum(['left', 'center', 'right'], 'must be one of left, center, right').optional(),
  is_wrapped: flag,
});
const MOST_IN_CELLS = 10_000;
/** A row has one cell for each column of the first row; all cells together have a limit of their own. */
const TABLE = z
  .strictObject({
    ...{ type: z.literal('table'), block_id: string(255).optional() },
    column_settings: z.array(COLUMN).min(1).max(20).optional(),
    rows: z.array(z.array(CELL).min(1).max(20)).min(1).max(100),
  })
  .refine(({ rows }) => rows.every((row) => row.length === rows[0]?.length), {
    error: 'all rows must have the same number of cells',
  })
  .refine(({ rows }) => lettersIn(rows) <= MOST_IN_CELLS, {
    error: `all cells must have no more than ${MOST_IN_CELLS} characters`,
  });
function lettersIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + lettersIn(each), 0);
  if (!isRecord(value)) return 0;
  const own = typeof value.text === 'string' ? value.text.length : 0;
  return own + lettersIn(value.elements);
}

/** The types of block and of element that the bot sends, whose rules are known completely; all others are refused. */
export function blockSchema(surface: Surface) {
  const anywhere = [MENU, RADIO_BUTTONS, USERS, DATEPICKER, conversations(surface)] as const;
  const button = z.discriminatedUnion(
    'type',
    [BUTTON, OVERFLOW, ...anywhere],
    unsupported('a block element'),
  );
  const input = z.discriminatedUnion('type', [TEXT_INPUT, ...anywhere], unsupported('a block element'));
  const block = { block_id: string(255).optional() };
  return z.discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('header'), ...block, text: plain(150) }),
      ...(surface === 'message' ? [TABLE] : []),
      z.strictObject({
        type: z.literal('section'),
        ...block,
        text: text(3000),
        accessory: button.optional(),
      }),
      z.strictObject({ type: z.literal('context'), ...block, elements: z.array(text(3000)).min(1).max(10) }),
      z.strictObject({ type: z.literal('actions'), ...block, elements: z.array(button).min(1).max(25) }),
      z.strictObject({ type: z.literal('rich_text'), ...block, elements: z.array(PARAGRAPH).min(1) }),
      z.strictObject({
        ...{ type: z.literal('input'), ...block, label: plain(2000), hint: plain(2000).optional() },
        ...{ optional: flag, element: input },
      }),
    ],
    unsupported('a block'),
  );
}
