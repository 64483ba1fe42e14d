import type { ReadPage } from '#contracts/research/page.ts';

export type FormatResult = Omit<ReadPage, 'parser_version'>;
