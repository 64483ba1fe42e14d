import type { Language } from '#contracts/ids.ts';
import type { TaskState } from './contract.ts';

type Words = { readonly ending: (state: TaskState) => string };

const english: Words = {
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
