import type { ChatMode } from '#contracts/research/task-spec.ts';

/** CH-02: whether a task is needed at all. Only `task` may start a browser or cost anything. */
export type Intent = 'greeting' | 'thanks' | 'about' | 'open_result' | 'unavailable_mode' | 'task';

const GREETING =
  /^(hi|hello|hey|good (morning|afternoon|evening)|你好|您好|嗨|哈喽|早上好|下午好|晚上好|在吗)[\s!！.。~,，呀啊吗?？]*$/iu;
const THANKS =
  /^(thanks?( you)?( very much| a lot)?|thx|谢谢(你|您)?|多谢|辛苦了|好的|ok(ay)?|明白了|知道了)[\s!！.。~,，啦了]*$/iu;
const ABOUT =
  /^(who|what) are you[?？]?$|^what can you do[?？]?$|^help[?？!]?$|^(你是谁|你能做什么|你会什么|帮助)[?？。!！]*$/iu;
const OPEN_RESULT =
  /^(please\s+)?(open|show|download)( me)? (the|that|my|last|latest)( last| latest)? (report|result|results|csv|file|package)[.!?]*$|^(请)?(打开|下载|给我看)(一下)?(那个|这个|刚才的|上次的|最新的)?(报告|结果|csv|文件|报告包)[。!！]*$/iu;

export function decideIntent(text: string, mode: ChatMode): Intent {
  if (mode === 'dataset' || mode === 'hybrid') return 'unavailable_mode';
  const said = text.trim();
  if (mode !== 'smart') return 'task';
  if (GREETING.test(said)) return 'greeting';
  if (THANKS.test(said)) return 'thanks';
  if (ABOUT.test(said)) return 'about';
  if (OPEN_RESULT.test(said)) return 'open_result';
  return 'task';
}
