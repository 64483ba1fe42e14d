import type { ChatMode, TaskMode } from '#contracts/research/task-spec.ts';
import { sentencesOf } from './sentences-of-request.ts';

/** An order to make a data set; a data set that is only talked about is a subject like any other. */
const DATASET =
  /(?:做|建|构建|生成|整理|采集|收集|抓取|导出|输出|给我|需要|形成|汇总)(?:成|为|出)?[^，。；,;\n]{0,30}(?:数据集|表格|清单表|表(?![现面示达明述演情层态率决])|csv|excel|xlsx)|导出\s*(?:csv|excel|xlsx|表格)|^(?:请|帮我|为我)?(?:采集|抓取|爬取)|每行(?:是|为)?一[个家款条]|\b(?:as|in(?:to)?|build|make|create|compile|produce|export|collect|give me|need|want)\s+(?:\w+\s+){0,4}?(?:a |an |the )?(?:\w+ ){0,2}(?:csv|spreadsheet|data ?set)s?\b|\bas a table\b|\bone row (?:per|for each)\b|\bcsv (?:of|with)\b|^\s*scrape\b/iu;
const REPORT_TOO =
  /(?:表格?|数据集?|csv|清单)(?:和|与|以及|加|并附?|，?并写|，?同时写|，?再写)(?:一份|出)?(?:分析)?报告|报告(?:和|与|以及|加|并附)(?:一?[张份个])?(?:数据|表|csv)|\b(?:table|csv|data ?set|spreadsheet)\b[^.?!\n]{0,40}\b(?:and|plus|with|together with)\b[^.?!\n]{0,20}\breport\b|\breport\b[^.?!\n]{0,40}\b(?:and|plus|with|together with)\b[^.?!\n]{0,20}\b(?:table of|csv|data ?set|spreadsheet)\b/iu;

const BRIEF =
  /\b(?:briefly|in (?:one|a) (?:sentence|word)|short answer|quick(?:ly)? (?:answer|check)|tl;?dr)\b|简单(?:说|回答|讲)|一句话|简要回答|快速(?:查|回答|告诉)/iu;
const ORDERED =
  /研究|报告|调研|综述|深入|全面|详细(?:地)?(?:分析|介绍|说明|解释)|梳理|收集整理|搜集|论文|学术|\bresearch|\breport\b|\bsurvey\b|in[- ]depth|comprehensive|\boverview of\b|literature review|\banaly[sz]|\bpaper\b|\binvestigat|\bstudy notes\b|\bdetailed\b/iu;
/** Each says that no single page answers it. */
const OPEN: readonly RegExp[] = [
  /影响|\bimpacts?\b|\binfluenc|\beffects? of\b|\bconsequences\b/iu,
  /趋势|未来|前景|预测|预计|\btrends?\b|\bfuture\b|\bforecast|\b20[3-9]\d\b/iu,
  /比较|对比|评估|优劣|\bcompar|\bevaluat|\bassess|\bstrengths and weaknesses\b|\bpros and cons\b|\bdifferences and connections\b/iu,
  /策略|方案|政策|机制|路径|体系|制定|规划|攻略|食谱|提供一份|\bstrateg|\bapproach|\bframework|\bmethods?\b|\bbest practices\b|\bphilosoph|\bguidelines\b/iu,
  /现状|发展|演变|进展|\bevolution\b|\bdevelopments?\b|\badvance|\bstate of the art\b|\brecent progress\b/iu,
  /因素|原因|挑战|问题意识|可能性|替代|\bfactors?\b|\bchallenges?\b|\blimitations?\b|\bfeasib|\bimplications?\b|\brole of\b.{1,60}\b(?:on|in)\b/iu,
  /如何(?:在|将|把|对|有效|突破|推动|促进|构建|增强|提升|提高|制定|实现|结合|展开)|\bhow (?:can|could|should|might|to)\b.{20,}|\bhow did\b.{1,60}\bmanage\b|\bis there a general\b|\bpossible ways\b/iu,
  /总结|分析|归纳|列举|\bsummari[sz]e|\btrace\b|\bexplain\b|\bexplor/iu,
  /特点|画像|关系|联系|发展史|历代|\brelation(?:ship)?s? between\b|\bcore differences\b/iu,
];

/** `smart` is a policy of the chat box, not a mode: this is where it becomes one. */
export function chooseMode(text: string, asked: ChatMode): TaskMode {
  if (asked !== 'smart') return asked;
  if (REPORT_TOO.test(text)) return 'hybrid';
  if (DATASET.test(text)) return 'dataset';
  if (BRIEF.test(text)) return 'quick_search';
  return weigh(text) >= 2 ? 'research' : 'quick_search';
}

/** How much a request is more than one look can answer. */
function weigh(text: string): number {
  if (ORDERED.test(text)) return 2;
  const asked = sentencesOf(text).filter(({ kind }) => kind === 'question' || kind === 'order').length;
  const open = OPEN.filter((pattern) => pattern.test(text)).length;
  return open * (isLong(text, 14, 7) ? 2 : 1) + (asked > 2 ? 2 : 0) + (isLong(text, 60, 40) ? 2 : 0);
}

function isLong(text: string, han: number, words: number): boolean {
  const characters = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return characters >= han || (text.match(/[A-Za-z][\w'-]*/gu)?.length ?? 0) >= words;
}
