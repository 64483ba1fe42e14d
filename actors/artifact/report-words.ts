import type { Language } from '#contracts/ids.ts';
import type { Answer } from '#contracts/research/answer.ts';
import type { MissingReason } from '#contracts/research/evidence.ts';

export type ReportWords = {
  readonly question: string;
  readonly sources: string;
  readonly gaps: string;
  readonly readAt: string;
  readonly sealedAt: string;
  readonly status: string;
  readonly extractive: string;
  readonly model: (name: string, version: string) => string;
  /** How much was proposed and refused. */
  readonly rejected: (count: number) => string;
  readonly seeEvidence: string;
  readonly reasons: Record<MissingReason, string>;
};

const english: ReportWords = {
  question: 'Question',
  sources: 'Sources and quotes',
  gaps: 'What is missing',
  readAt: 'read',
  sealedAt: 'Sealed',
  status: 'State of the task',
  extractive:
    'Extractive mode: no language model configured; every sentence is a verbatim quote or a table row from a page that was read.',
  model: (name, version) =>
    `Worded with the language model ${name} (profile version ${version}); every quote was found on its page and every sentence checked against its quotes by rule.`,
  rejected: (count) =>
    `${count} ${count === 1 ? 'proposal' : 'proposals'} did not pass the checks and stand in evidence.json with the reasons.`,
  seeEvidence: 'Offsets, page texts and hashes are in evidence.json, sources.json and manifest.json.',
  reasons: {
    not_found: 'not found in the pages that were read',
    not_disclosed: 'not disclosed by the sources',
    not_applicable: 'not applicable',
    access_blocked: 'the page could not be reached',
    source_conflict: 'the sources contradict one another',
    parse_failed: 'the page could not be read',
    not_requested: 'not requested',
  },
};

const chinese: ReportWords = {
  question: '问题',
  sources: '来源与引文',
  gaps: '缺失的内容',
  readAt: '读取于',
  sealedAt: '封存时间',
  status: '任务状态',
  extractive: '摘录模式：未配置语言模型；每个句子都是已读页面的原文摘录或表格行。',
  model: (name, version) =>
    `由语言模型 ${name}（配置版本 ${version}）措辞；每条引文都已在其页面上找到，每个句子都按规则与其引文核对。`,
  rejected: (count) => `有 ${count} 条提议未通过检查，连同原因记录在 evidence.json 中。`,
  seeEvidence: '偏移量、页面全文与哈希见 evidence.json、sources.json 与 manifest.json。',
  reasons: {
    not_found: '已读页面中未找到',
    not_disclosed: '来源未披露',
    not_applicable: '不适用',
    access_blocked: '页面无法访问',
    source_conflict: '来源互相矛盾',
    parse_failed: '页面无法解析',
    not_requested: '未要求',
  },
};

export const reportWords = (language: Language): ReportWords => (language === 'zh-CN' ? chinese : english);

/** Which engine made the proposals, and what of them was refused. */
export function engineWords({ language, engine_profile: profile, rejected }: Answer): string {
  const words = reportWords(language);
  const engine = profile === undefined ? words.extractive : words.model(profile.name, profile.version);
  const count = rejected?.length ?? 0;
  return count === 0 ? engine : `${engine} ${words.rejected(count)}`;
}
