import type { Language } from '#contracts/ids.ts';
import type { MissingReason } from '#contracts/research/evidence.ts';

export type ReportWords = {
  readonly question: string;
  readonly sources: string;
  readonly gaps: string;
  readonly readAt: string;
  readonly sealedAt: string;
  readonly status: string;
  readonly engine: string;
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
  engine:
    'Extractive mode: no language model configured; every sentence is a verbatim quote or a table row from a page that was read.',
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
  engine: '摘录模式：未配置语言模型；每个句子都是已读页面的原文摘录或表格行。',
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
