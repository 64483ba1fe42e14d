import type { Shape } from './question.ts';
import type { Unit } from './units.ts';

const DATE =
  /\b(?:1[0-9]|20)\d\d\b|\b\d{1,2}:\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\d{1,4} ?[年月日号]|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|星期|周[一二三四五六日]/i;
const NUMBER =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million|once|twice|no|none)\b|[一二两三四五六七八九十百千万亿零]+ ?[个次页种项条秒分时天年倍]/i;
const NAME = /\p{Lu}[\p{Ll}'’.-]+(?:\s+\p{Lu}[\p{L}'’.-]*)+|[\p{Script=Han}]{2,4}/u;
const PLACE =
  /\b(?:in|at|near|from|to)\s+(?:the\s+)?\p{Lu}|[\w~.]*\/[\w.-]+|\b(?:folder|directory|file|under)\b|[省市县区路州国]|文件夹|目录|位于|在/u;
const DEFINES = /\b(?:is|are|means|refers to|describes|will|allows|lets)\b|是|指|表示|意思|用于|用来|会/;
const INSTRUCTS =
  /^(?:to |you can |use |run |click|press|open|choose|select|set |type |enter |add |go to|in order to|first|then|if you)|\b(?:use|run|click|press|type|set|choose|select)\b|`[^`]+`|点击|点按|单击|按下?|选择|打开|输入|运行|执行|设置|使用|可以|请/i;
const REASONS =
  /\b(?:because|since|due to|so that|in order to|therefore|reason|caused?|avoid|prevent)\b|因为|由于|为了|以便|所以|因此|避免|防止/i;

/** How well the form of a unit fits what is asked for: 1 fits, 0 does not. */
export function shapeFit(shape: Shape, unit: Unit): number {
  const text = unit.text;
  switch (shape) {
    case 'any':
      return 0.5;
    case 'date':
      return DATE.test(text) ? 1 : 0;
    case 'number':
      return NUMBER.test(text) ? 1 : 0;
    case 'person':
      return NAME.test(text) ? 1 : 0;
    case 'place':
      return PLACE.test(text) ? 1 : 0;
    case 'definition':
      return unit.kind === 'definition' || DEFINES.test(text) ? 1 : 0;
    case 'instruction':
      return INSTRUCTS.test(text) ? 1 : unit.kind === 'code' || unit.kind === 'item' ? 0.7 : 0;
    case 'reason':
      return REASONS.test(text) ? 1 : 0;
  }
}
