import { useRef } from 'react';
import { type Block, Message } from 'slack-blocks-to-jsx';
import { record, records, string } from '../../emulators/slack/json.ts';
import type { Json } from '../wire.ts';
import { useDemo } from './demo-context.ts';
import { Element, type Origin } from './elements.tsx';
import { forLibrary } from './for-library.ts';
import { InputBlock } from './input-block.tsx';
import { labelOf } from './page-data.ts';
import { useWholeWords } from './use-whole-words.ts';

interface BlocksProps {
  readonly blocks: readonly Json[];
  readonly origin: Origin;
}

/**
 * Blocks as Slack shows them. `slack-blocks-to-jsx` draws whatever only shows something; it has no way to hear of a
 * click, so everything that can be used is drawn here.
 */
export function Blocks({ blocks, origin }: BlocksProps) {
  return runs(blocks).map((run) =>
    Array.isArray(run.shown) ? (
      <Shown key={run.key} blocks={run.shown} />
    ) : (
      <Ours key={run.key} block={run.shown} origin={origin} />
    ),
  );
}

interface Run {
  readonly key: string;
  readonly shown: Json | Json[];
}

/** Neighbouring blocks that only show something belong together, so that the library sets their distances. */
function runs(blocks: readonly Json[]): Run[] {
  const all: Run[] = [];
  for (const [index, block] of blocks.entries()) {
    const last = all.at(-1)?.shown;
    if (isOurs(block)) all.push({ key: `ours-${index}`, shown: block });
    else if (Array.isArray(last)) last.push(block);
    else all.push({ key: `shown-${index}`, shown: [block] });
  }
  return all;
}

/** Whether it is drawn here. The library takes plain text for markup, and tells nobody of the button beside a text. */
function isOurs({ type, accessory, elements }: Json): boolean {
  if (accessory !== undefined) return true;
  if (type === 'context') return records(elements).some((element) => element.type === 'plain_text');
  return type === 'actions' || type === 'input' || type === 'header';
}

function Shown({ blocks }: { blocks: readonly Json[] }) {
  const { state, theme } = useDemo();
  const box = useRef<HTMLDivElement>(null);
  useWholeWords(box);
  const users = state.people.map(({ id, name, realName }) => ({ id, name: name || realName, avatar: '' }));
  const channels = state.channels.map(({ id, name }) => ({ id, name }));
  return (
    // The library keeps what it was first given, so an edit needs a new one.
    <div key={`${theme} ${JSON.stringify(blocks)}`} ref={box}>
      <Message
        withoutWrapper
        theme={theme}
        name=""
        logo=""
        data={{ users, channels }}
        blocks={forLibrary(blocks) as unknown as Block[]}
      />
    </div>
  );
}

function Header({ text }: { text: string }) {
  const box = useRef<HTMLHeadingElement>(null);
  useWholeWords(box);
  return (
    <h3 className="header-block" key={text} ref={box}>
      {text}
    </h3>
  );
}

/** Small print of which some parts are plain text. */
function Context({ elements }: { elements: readonly Json[] }) {
  return (
    <div className="context-block">
      {elements.map((element) =>
        element.type === 'plain_text' ? (
          <span key={string(element.text)}>{string(element.text)}</span>
        ) : (
          <Shown key={string(element.text)} blocks={[{ type: 'context', elements: [element] }]} />
        ),
      )}
    </div>
  );
}

function Ours({ block, origin }: { block: Json; origin: Origin }) {
  switch (block.type) {
    case 'input':
      return <InputBlock block={block} origin={origin} />;
    case 'header':
      return <Header text={labelOf(block.text)} />;
    case 'context':
      return <Context elements={records(block.elements)} />;
    case 'section': {
      const { accessory, ...text } = block;
      return (
        <div className="beside">
          <Shown blocks={[text]} />
          <Element element={record(accessory)} origin={origin} />
        </div>
      );
    }
    default:
      return (
        <fieldset className="actions" aria-label="Actions">
          {records(block.elements).map((element) => (
            <Element key={string(element.action_id)} element={element} origin={origin} />
          ))}
        </fieldset>
      );
  }
}
