import type { Language } from '#contracts/ids.ts';
import type { TaskState } from './contract.ts';

type Words = {
  readonly ending: (state: TaskState) => string;
  readonly whatToFind: string;
  readonly asWritten: string;
  readonly moneyGone: string;
  readonly writtenWithoutModel: string;
};

const english: Words = {
  whatToFind: 'No question that can be researched was found in this. What should be found out?',
  asWritten: 'The request as it was written',
  moneyGone: 'The budget was used up before everything was looked for.',
  writtenWithoutModel:
    'The budget was used up before the report was written; it was put together from the verified quotes without a language model.',
  ending: (state) => {
    const pages = `Pages read: ${state.reads.length}.`;
    if (state.status === 'stopped') return `Stopped before anything could be verified. ${pages}`;
    if (state.status === 'cancelled') return 'Cancelled before it started.';
    if (state.problem?.code === 'mode.not_available') {
      return 'The dataset and hybrid modes are not available in this version. Choose quick search or research.';
    }
    if (state.problem?.code === 'evidence.insufficient') {
      return `**Insufficient evidence.** No passage in the pages that were read answers the question, so there is no answer. ${pages}\n\nTry other words, name a page address, or add a folder to the library in the settings.`;
    }
    return `The task could not be finished: ${plain(state.problem?.message ?? 'unknown reason')} ${pages}`;
  },
};

const chinese: Words = {
  whatToFind: '这段内容里没有找到可以研究的问题。需要查清什么？',
  asWritten: '按原文处理',
  moneyGone: '预算已用完，因此没有继续查找其余内容。',
  writtenWithoutModel: '撰写报告前预算已用完；报告由已核验的引文直接汇编，未使用语言模型。',
  ending: (state) => {
    const pages = `已读页面：${state.reads.length}。`;
    if (state.status === 'stopped') return `任务已停止，停止前没有任何内容通过核验。${pages}`;
    if (state.status === 'cancelled') return '任务在开始之前已取消。';
    if (state.problem?.code === 'mode.not_available') {
      return '本版本还不提供“数据集”和“混合”模式。请选择“快速搜索”或“研究”。';
    }
    if (state.problem?.code === 'evidence.insufficient') {
      return `**证据不足。**已读页面中没有能回答这个问题的内容，因此不给出答案。${pages}\n\n可以换一种说法、直接给出网页地址，或在设置里把一个文件夹加入资料库。`;
    }
    return `任务未能完成：${plain(state.problem?.message ?? '原因未知')} ${pages}`;
  },
};

/** Messages may carry page addresses and site texts; here they are words, never markup. */
const plain = (text: string): string => text.replace(/[\\`*_[\]<>#|~]/gu, (character) => `\\${character}`);

export const taskWords = (language: Language): Words => (language === 'zh-CN' ? chinese : english);
