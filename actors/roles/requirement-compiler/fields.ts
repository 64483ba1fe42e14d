import type { DatasetField, FieldType } from '#contracts/research/dataset-field.ts';
import { plainField } from '#contracts/research/spoken-value.ts';

const MAX_FIELDS = 40;
const AFTER_WORD =
  /(?:\b(?:with|including|has|having|and)?\s*(?:the\s+)?(?:columns?|fields?|attributes?)(?:\s+(?:for|are|named|should be))?\s*[:：]?|(?:字段|列|属性|栏目)(?:包括|包含|为|是|有|要有)?\s*[:：]?)\s*([^.。;；?？!！\n]{2,400})/iu;
const ROW_OF =
  /(?:\bwith (?:their|its|each one's|the)\b|\bshowing\b|(?:每个|每家|每款|每条|每行|各)?(?:包括|包含|列出|含有?|带上|写明))\s*[:：]?\s*([^.。;；?？!！\n]{2,300})/iu;

/** The columns that a request names; none when it names none. */
export function findFields(text: string): DatasetField[] {
  const list = AFTER_WORD.exec(text)?.[1] ?? ROW_OF.exec(text)?.[1];
  if (list === undefined) return [];
  const names = list
    .replace(/(?:等)?(?:字段|列|信息|属性|内容)?(?:，|,)?(?:导出|输出|做成|整理成).*$/u, '')
    .replace(/等(?:字段|信息|属性|内容|数据|列)?$/u, '')
    .split(/[,，、]|\s+(?:and|or)\s+|(?<=[\p{Script=Han})）])(?:和|与|以及|及)(?=\p{Script=Han})/u)
    .map((name) => name.trim().replace(/^(?:and|or|the|an?|和|与|以及)\s*/iu, ''))
    .filter((name) => name !== '' && [...name].length <= 60);
  return [...new Set(names)].slice(0, MAX_FIELDS).map(fieldOf);
}

const TYPES: readonly (readonly [RegExp, FieldType])[] = [
  [/网址|官网|链接|\burl\b|website|\blink\b/iu, 'url'],
  [/是否|有无|\bwhether\b|^(?:is|has)\b/iu, 'boolean'],
  [
    /价格|票价|售价|费用|收入|营收|融资|金额|票房|市值|\bprice|\bcost\b|\brevenue|\bfunding\b|\bfee\b|\bsalary|\bmarket cap/iu,
    'money',
  ],
  [/日期|时间|年份|年月|\bdate\b|\byear\b|\bfounded\b|\bfounded in\b|\blaunch/iu, 'date'],
  [/人数|数量|个数|\bnumber of\b|\bcount\b|\bpopulation\b|\bemployees\b/iu, 'integer'],
  [
    /高度|长度|面积|重量|比例|率$|温度|容量|\bheight\b|\blength\b|\barea\b|\bweight\b|\brate\b|\bshare\b|\bcapacity\b|\bpercent/iu,
    'number',
  ],
];

/** `height (m)`, `价格（元）`: what stands in brackets is the unit. */
function fieldOf(said: string): DatasetField {
  const [, name = said, unit] = /^(.*?)\s*[(（]([^()（）]{1,40})[)）]\s*$/u.exec(said) ?? [];
  const type = TYPES.find(([words]) => words.test(name))?.[1] ?? 'text';
  return { ...plainField(name.trim()), type, unit: unit?.trim() ?? null };
}

const NAMING =
  /名称|名字|姓名|标题|公司|机构|产品|型号|书名|片名|\bname\b|\btitle\b|\bcompany\b|\bproduct\b|\bmodel\b/iu;

/** What tells rows apart: the field that names the object, else the first one. */
export function keyOf(fields: readonly DatasetField[]): string[] {
  const key = fields.find(({ name }) => NAMING.test(name)) ?? fields[0];
  return key === undefined ? [] : [key.name];
}

const ROW_WORDS = /\bone row (?:per|for each)\s+([^,.;?!\n]{2,80})|每行(?:是|为)?(一[个家款条][^，。；,;\n]{1,40})/iu;

/** What one row is, where the request says it. */
export function findRow(text: string): string | null {
  const found = ROW_WORDS.exec(text);
  return (found?.[1] ?? found?.[2])?.trim() ?? null;
}

const ROWS =
  /\b(?:top|first|up to|at most)\s+(\d{1,5})\b|前\s*(\d{1,5})\s*(?:名|个|家|款|条)|(\d{1,5})\s*(?:行|条)(?:以?内)?/iu;

export function findMaxRows(text: string): number | null {
  const found = ROWS.exec(text);
  const rows = Number(found?.[1] ?? found?.[2] ?? found?.[3] ?? Number.NaN);
  return Number.isInteger(rows) && rows > 0 ? rows : null;
}
