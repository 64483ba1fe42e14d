import { Migration } from '@mikro-orm/migrations';
import { MAIL_IDS_AT_ONCE } from '../stores/actor-store/mail.ts';

/**
 * Fewer index entries per step. Only message ids from outside the actors can come twice, so only those are indexed; mail
 * ids are reserved by the sending host, so that one key of the mailbox serves reading in order and deleting.
 */
export class LeanMail extends Migration {
  override up(): void {
    this.addSql(`create sequence mail_id_sequence increment by ${MAIL_IDS_AT_ONCE}`);
    this.addSql(`select setval('mail_id_sequence', (select coalesce(max(mail_id), 0) from mailbox) + 1)`);
    this.addSql(`alter table mailbox drop constraint mailbox_pkey, drop constraint mailbox_message_unique,
      alter column mail_id drop default, add column is_outside boolean not null default false`);
    this.addSql(`drop sequence if exists mailbox_mail_id_seq`);
    this.addSql(`drop index mailbox_arrival_index`);
    this.addSql(`update mailbox set is_outside = true
      where strpos(coalesce(envelope->>'from', ''), '/') = 0 and coalesce(envelope->>'from', '') not in ('effect', 'timer')`);
    this.addSql(`alter table mailbox alter column is_outside drop default,
      add constraint mailbox_pkey primary key (shard, priority, mail_id)`);
    this.addSql(
      `create unique index mailbox_outside_unique on mailbox (project, address, message_id) where is_outside`,
    );
    this.addSql(`alter table transition_log drop constraint transition_log_pkey,
      add column is_outside boolean not null default false`);
    this.addSql(`drop index transition_log_order_index`);
    this.addSql(
      `update transition_log set is_outside = true where strpos(sender, '/') = 0 and sender not in ('effect', 'timer')`,
    );
    // Rows of mail that no actor took had seq 0; each gets a key of its own below that.
    this.addSql(`update transition_log l set seq = -n.n from
      (select ctid, row_number() over () as n from transition_log where seq <= 0) n where l.ctid = n.ctid`);
    this.addSql(`alter table transition_log alter column is_outside drop default,
      add constraint transition_log_pkey primary key (project, address, seq, position)`);
    this.addSql(
      `create unique index transition_log_outside_unique on transition_log (message_id, address, project) where is_outside`,
    );
  }
}
