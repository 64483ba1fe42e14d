import type { ActorStore, StoredOperatorAction, StoredSetAside } from '#contracts/ports/actor-store.ts';
import type { StatementPool } from '../../pools.ts';
import { arrayLiteral } from '../sql-values.ts';

type Methods = Pick<
  ActorStore,
  'listSetAside' | 'findSetAside' | 'recordOperatorAction' | 'findOperatorAction' | 'listOperatorActions'
>;

const AT_MS = '(extract(epoch from t.at) * 1000)::int8 as "atMs"';
const SET_ASIDE = `t.id, t.address, t.message_id as "messageId", t.envelope, t.reason, ${AT_MS}`;

const page = (from: string): string => `${from} and ($2::text is null or t.address = $2) and t.id < $3::int8`;

const RECORD = `insert into operator_action (project, request_id, command, address, message_id, letter_id, caller)
  values ($1, $2, $3, $4, $5, $6, $7) on conflict (project, request_id) do nothing returning id`;

const ACTION = `t.project, t.request_id as "requestId", t.command, t.address, t.message_id as "messageId",
  t.letter_id as "letterId", t.caller, t.id, ${AT_MS}`;

// The log is joined by the index of outside message ids alone, as everywhere.
const WITH_OUTCOME = `select ${ACTION}, l.outcome from operator_action t
  left join lateral (select outcome from transition_log l where l.is_outside and l.message_id = t.message_id
    and l.project || '' = t.project and l.address || '' = t.address limit 1) l on true`;

const ACTIONS = `${WITH_OUTCOME} where ${page('t.project = $1')} and ($5::int8[] is null or t.letter_id = any ($5::int8[]))
  order by t.id desc limit $4`;

const RECORDED = `${WITH_OUTCOME} where t.project = $1 and t.request_id = $2`;

export function operatorMethods(readers: StatementPool, writers: StatementPool): Methods {
  const find = async (project: string, requestId: string) => {
    const values = [project, requestId];
    const rows = await writers.run<StoredOperatorAction>({ name: 'operator_recorded', text: RECORDED, values });
    return rows[0] ?? null;
  };
  return {
    findOperatorAction: find,
    listSetAside(project, kind, { address, beforeId, limit }) {
      const text = `select ${SET_ASIDE} from ${kind} t where ${page('t.project = $1')} order by t.id desc limit $4`;
      const values = [project, address ?? null, beforeId ?? Number.MAX_SAFE_INTEGER, limit];
      return readers.run<StoredSetAside>({ name: `list_${kind}`, text, values });
    },
    async findSetAside(project, kind, id) {
      const text = `select ${SET_ASIDE} from ${kind} t where t.project = $1 and t.id = $2::int8`;
      const rows = await readers.run<StoredSetAside>({ name: `find_${kind}`, text, values: [project, id] });
      return rows[0] ?? null;
    },
    async recordOperatorAction(action) {
      const { project, requestId, command, address, messageId, letterId, caller } = action;
      const values = [project, requestId, command, address, messageId, letterId, caller];
      const inserted = await writers.run<{ id: number }>({ name: 'operator_record', text: RECORD, values });
      if (inserted.length > 0) return 'recorded';
      const known = await find(project, requestId);
      return known?.messageId === messageId && known.address === address ? 'repeated' : 'conflict';
    },
    listOperatorActions(project, { address, beforeId, limit, letterIds }) {
      const letters = letterIds === undefined ? null : arrayLiteral(letterIds);
      const values = [project, address ?? null, beforeId ?? Number.MAX_SAFE_INTEGER, limit, letters];
      return readers.run<StoredOperatorAction>({ name: 'list_operator_actions', text: ACTIONS, values });
    },
  };
}
