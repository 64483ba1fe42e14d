import type { SearchReason } from './search.ts';

const FRESH =
  /\b(?:latest|newest|current(?:ly)?|today|tonight|now|recent(?:ly)?|this (?:year|month|week)|price|prices|news|20[2-9]\d)\b|最新|目前|现在|当前|今天|今年|本月|近期|最近|价格|新闻|20[2-9]\d\s*年/iu;
const PLATFORM =
  /\b(?:reddit|twitter|youtube|github|stack ?overflow|forum|tiktok|hacker news)\b|小红书|微博|知乎|抖音|公众号|豆瓣|贴吧|b站|哔哩哔哩|论坛/iu;
const REGIONAL = /\b(?:near me|nearby|local|in my (?:city|town|area))\b|附近|本地|当地|周边/iu;

/** WS-11: why a question of a task is looked up and not answered from memory. What is not told to be more is uncertain. */
export function reasonToSearch(question: string): SearchReason {
  if (FRESH.test(question)) return 'fresh';
  if (PLATFORM.test(question)) return 'platform';
  if (REGIONAL.test(question)) return 'regional';
  return 'uncertain';
}
