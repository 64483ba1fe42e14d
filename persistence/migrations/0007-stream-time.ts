import { Migration } from '@mikro-orm/migrations';

/** Finds old events of streams; they come in order of time, so a summary of each block range is enough. */
export class StreamTime extends Migration {
  override up(): void {
    this.addSql(
      `create index stream_event_time_index on stream_event using brin (at) with (pages_per_range = 16, autosummarize = on)`,
    );
  }
}
