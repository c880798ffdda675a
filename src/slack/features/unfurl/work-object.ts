import type { types } from '@slack/bolt';
import type { Question } from '../../../core/lookup.ts';
import type { Answers } from '../../../lookups/lookup-status.ts';
import { modelOf } from '../../answer/result-model.ts';
import { importanceOf } from '../../answer/wording.ts';
import { viewValue } from '../../block-kit/action-values.ts';
import { shorten, visible } from '../../block-kit/limits.ts';
import { BROWSE_ACTION, type Facts, factsOf, SHOW_HITS_ACTION } from './preview.ts';

/** How many hits the side panel shows. */
const FIRST_HITS = 3;
const LONGEST_TITLE = 150;
const LONGEST_VALUE = 300;

/** A snapshot as a Work Object: `url` is the link exactly as it was pasted. */
type Entity = types.EntityMetadata;
type Field = readonly [label: string, value: string];

/**
 * A snapshot on a message: any app of the workspace can read what stands there, so it holds the device and the counts and
 * nothing else.
 */
export function entityOf(
  url: string,
  { question, facts }: { readonly question: Question; readonly facts: Facts },
): Entity {
  const { title, device, counts } = facts;
  const value = viewValue({ question });
  const primary_actions = [
    { text: 'Show result', action_id: SHOW_HITS_ACTION, value },
    { text: 'Browse privately', action_id: BROWSE_ACTION, value },
  ];
  const fields: Field[] = [
    ['Device', device],
    ['Counts', `${counts.bold}${counts.plain}`],
  ];
  return entity(url, question, title, fields, { actions: { primary_actions } });
}

/** A snapshot without a result: how it is with it. */
export function statusEntity(url: string, question: Question, status: string): Entity {
  return entity(url, question, `Snapshot ${question.snapshotId}`, [['Status', status]]);
}

/** What the side panel shows to the one who opened it. */
export function detailsEntity(url: string, question: Question, answers: Answers): Entity {
  const { title, device, counts, doubt, upgrade } = factsOf(question, answers);
  const { shown } = modelOf({ question }, answers);
  return entity(url, question, title, [
    ['Device', device],
    ['Counts', `${counts.bold}${counts.plain}`],
    ['Doubt', doubt],
    ['Upgrade', upgrade],
    ...shown.slice(0, FIRST_HITS).map(({ hit }): Field => [importanceOf(hit), `${hit.title} (${hit.name})`]),
  ]);
}

function entity(
  url: string,
  { snapshotId }: Question,
  title: string,
  fields: readonly Field[],
  more: Pick<Entity['entity_payload'], 'actions'> = {},
): Entity {
  const custom_fields = fields
    .filter(([, value]) => value !== '')
    .map(([label, value], index) => ({
      key: `field-${index}`,
      label: visible(shorten(label, LONGEST_TITLE)),
      value: visible(shorten(value, LONGEST_VALUE)),
      type: 'string',
      long: true,
    }));
  return {
    entity_type: 'slack#/entities/item',
    url,
    app_unfurl_url: url,
    external_ref: { id: snapshotId },
    entity_payload: {
      attributes: {
        title: { text: visible(shorten(title, LONGEST_TITLE)) },
        display_type: 'Snapshot',
        product_name: 'Snapshot',
      },
      custom_fields,
      display_order: custom_fields.map(({ key }) => key),
      ...more,
    },
  };
}
