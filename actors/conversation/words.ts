import type { Language } from '#contracts/ids.ts';
import type { Intent } from './intent.ts';

type Words = Record<Exclude<Intent, 'task'>, string> & { readonly no_result: string };

const english: Words = {
  greeting:
    'Hello. Ask a question and I will read pages for it in a real browser; every statement of the answer carries a quote you can check.',
  thanks: 'You are welcome.',
  about:
    'This is Yunsou, a research platform. Ask a question: pages are searched in the library, opened in a real browser and read, and the answer is put together from quotes that lead back to the page. Nothing is made up; what is missing is shown as missing.',
  open_result: 'Here is the latest report of this conversation.',
  no_result: 'There is no report in this conversation yet.',
  unavailable_mode:
    'The dataset and hybrid modes are not available in this version. Nothing was started. Choose quick search or research.',
};

const chinese: Words = {
  greeting: '你好。提出一个问题，我会在真实的浏览器里读取网页；答案中的每个陈述都带有可以核对的引文。',
  thanks: '不客气。',
  about:
    '这里是云搜，一个研究平台。提出问题后，系统会在资料库中检索，用真实的浏览器打开并读取页面，再用可以回溯到原文的引文组成答案。不编造内容；缺什么就写明缺什么。',
  open_result: '这是本会话最新的报告。',
  no_result: '本会话还没有报告。',
  unavailable_mode: '本版本还不提供“数据集”和“混合”模式，因此没有启动任何任务。请选择“快速搜索”或“研究”。',
};

export const conversationWords = (language: Language): Words => (language === 'zh-CN' ? chinese : english);
