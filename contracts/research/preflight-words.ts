import type { Language } from '../ids.ts';
import type { FindingCode } from './preflight.ts';

/** What a finding says to people; `what` is the value, name or limit it speaks of. */
type Words = Readonly<Record<FindingCode, (what: string) => string>>;

const english: Words = {
  'type.invalid': (what) => `A value has the wrong form: ${what}.`,
  'type.unknown_field': (what) => `The contract has no field ${what}.`,
  'type.origin_missing': (what) => `It is not recorded where this value came from: ${what}.`,
  'range.exceeded': (what) => `A value is outside its range: ${what}.`,
  'range.above_project_limit': (what) => `This is more than the project allows (${what}).`,
  'range.fewer_pages_than_questions': (what) =>
    `Fewer pages than questions may be read (${what}); some will stay open.`,
  'range.as_of_in_future': (what) => `The date ${what} is in the future; only what is known today can be read.`,
  'range.item_excluded': (what) => `“${what}” is asked for and excluded at the same time.`,
  'authorisation.policy_unknown': (what) => `The policy ${what} is not among those of this installation.`,
  'authorisation.address_refused': (what) =>
    `The address ${what} is not a public web page; the browser will refuse it.`,
  'authorisation.address_outside_domains': (what) => `The address ${what} is outside the allowed sites.`,
  'authorisation.side_effect': (what) =>
    `“${what}”: tasks only read. Nothing is bought, booked, sent, deleted or filled in.`,
  'ability.search_missing': () => 'No search is set up, and no page address is named.',
  'ability.browser_missing': () => 'No browser is set up, so no page can be read.',
  'ability.search_unreachable': (what) => `The search did not answer: ${what}`,
  'ability.browser_unreachable': (what) => `The browser did not start: ${what}`,
  'ability.model_unreachable': (what) => `The language model did not answer: ${what}`,
  'budget.other_currency': (what) => `The budget is in another currency than the prices (${what}).`,
  'budget.none': (what) => `This work costs money (${what}), and the budget is zero.`,
  'budget.below_cost': (what) => `The budget does not cover the smallest possible run (${what}).`,
  'budget.price_unknown': () => 'The price of the language model is not known, and the budget forbids unknown prices.',
  'output.mode_not_delivered': () =>
    'The plan can be made and checked, but data sets cannot be delivered in this version, so it cannot be started.',
  'output.format_not_supported': (what) => `The format ${what} cannot be written in this version.`,
  'output.fields_missing': () => 'A data set needs at least one field.',
  'output.key_unknown': (what) => `The key “${what}” is not among the fields.`,
  'output.field_twice': (what) => `The field “${what}” is there twice.`,
};

const chinese: Words = {
  'type.invalid': (what) => `有一个值的形式不对：${what}。`,
  'type.unknown_field': (what) => `任务规格里没有 ${what} 这个字段。`,
  'type.origin_missing': (what) => `没有记录这个值的来源：${what}。`,
  'range.exceeded': (what) => `有一个值超出范围：${what}。`,
  'range.above_project_limit': (what) => `超过了项目允许的上限（${what}）。`,
  'range.fewer_pages_than_questions': (what) => `可读的页面少于问题数（${what}），会有问题得不到回答。`,
  'range.as_of_in_future': (what) => `日期 ${what} 在将来；只能读到今天已有的内容。`,
  'range.item_excluded': (what) => `“${what}”既被要求又被排除。`,
  'authorisation.policy_unknown': (what) => `本系统没有 ${what} 这条策略。`,
  'authorisation.address_refused': (what) => `${what} 不是公开网页，浏览器会拒绝访问。`,
  'authorisation.address_outside_domains': (what) => `${what} 不在允许的网站之内。`,
  'authorisation.side_effect': (what) => `“${what}”：任务只会读取，不会购买、预订、发送、删除或填写任何内容。`,
  'ability.search_missing': () => '没有配置搜索，也没有给出网页地址。',
  'ability.browser_missing': () => '没有配置浏览器，无法读取网页。',
  'ability.search_unreachable': (what) => `搜索没有响应：${what}`,
  'ability.browser_unreachable': (what) => `浏览器没有启动：${what}`,
  'ability.model_unreachable': (what) => `语言模型没有响应：${what}`,
  'budget.other_currency': (what) => `预算的币种与价格的币种不同（${what}）。`,
  'budget.none': (what) => `这项工作需要费用（${what}），而预算为零。`,
  'budget.below_cost': (what) => `预算不够最小的一次运行（${what}）。`,
  'budget.price_unknown': () => '语言模型的价格未知，而预算不允许未知价格。',
  'output.mode_not_delivered': () => '可以制定并检查计划，但本版本还不能交付数据集，因此不能启动。',
  'output.format_not_supported': (what) => `本版本不能生成 ${what} 格式。`,
  'output.fields_missing': () => '数据集至少需要一个字段。',
  'output.key_unknown': (what) => `主键“${what}”不在字段之中。`,
  'output.field_twice': (what) => `字段“${what}”重复了。`,
};

export const preflightWords = (language: Language): Words => (language === 'zh-CN' ? chinese : english);
