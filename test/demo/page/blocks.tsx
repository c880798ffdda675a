import { record, records, string } from '../../emulators/slack/json.ts';
import type { Json } from '../wire.ts';
import { Element, type Origin } from './elements.tsx';
import { InputBlock } from './input-block.tsx';
import { inOrder, labelOf } from './page-data.ts';
import { RichText, TextObject, Words } from './texts.tsx';

interface BlocksProps {
  readonly blocks: readonly Json[];
  readonly origin: Origin;
}

/** Blocks as Slack shows them, with working controls. */
export function Blocks({ blocks, origin }: BlocksProps) {
  return inOrder(blocks).map(({ one, key }) => (
    <div className={`block ${string(one.type)}`} key={key}>
      <Block block={one} origin={origin} />
    </div>
  ));
}

function Block({ block, origin }: { block: Json; origin: Origin }) {
  switch (block.type) {
    case 'header':
      return (
        <h3>
          <Words>{labelOf(block.text)}</Words>
        </h3>
      );
    case 'section':
      return <Section block={block} origin={origin} />;
    case 'context':
      return inOrder(records(block.elements)).map(({ one, key }) => (
        <span key={key}>
          <TextObject text={one} />
        </span>
      ));
    case 'rich_text':
      return <RichText block={block} />;
    case 'table':
      return <Table block={block} />;
    case 'input':
      return <InputBlock block={block} />;
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

function Section({ block: { text, accessory }, origin }: { block: Json; origin: Origin }) {
  const words = (
    <p>
      <TextObject text={text} />
    </p>
  );
  if (accessory === undefined) return words;
  return (
    <div className="beside">
      {words}
      <Element element={record(accessory)} origin={origin} />
    </div>
  );
}

/** As in Slack, the first row holds the headings. */
function Table({ block: { rows, column_settings } }: { block: Json }) {
  const settings = records(column_settings);
  return (
    <table>
      <tbody>
        {inOrder(Array.isArray(rows) ? rows : []).map((row) => (
          <tr key={row.key}>
            {inOrder(records(row.one)).map(({ one: cell, key }) => (
              <td key={key} align={settings[Number(key)]?.align === 'right' ? 'right' : 'left'}>
                {cell.type === 'rich_text' ? <RichText block={cell} /> : <Words>{string(cell.text)}</Words>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
