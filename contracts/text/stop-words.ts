/** Words a question is built of, not what it is about. They are left out of queries only; pages keep every word. */
const ENGLISH =
  'a an the this that these those there here it its he she they them him his her their our your my we you i me us ' +
  'is are was were be been being am do does did doing done has have had having can could will would shall should may might must ' +
  'and or but if then than so as at by for from in into of off on onto out over to up with about between among per via inside within during before after above below under through against without ' +
  'who whom whose what which when where why how not no nor only just also too very more most some any each every all both either neither ' +
  'many much long please ever whats im dont doesnt isnt arent wasnt cant s t d ll re ve';

const CHINESE =
  '的 了 和 与 及 或 在 是 有 我 你 您 他 她 它 我们 你们 他们 这 那 这个 那个 这些 那些 一个 一 个 些 种 项 只 把 被 让 给 对 为 从 到 向 以 于 由 ' +
  '吗 呢 吧 啊 呀 么 什么 怎么 怎样 怎么样 如何 为什么 为何 哪 哪个 哪些 哪里 哪儿 谁 多少 几 几个 多 何 何时 时候 什么时候 多久 多大 多长 请 请问 告诉 介绍 ' +
  '可以 能 能够 会 要 想 需要 应该 应 该 必须 就 也 都 还 又 再 很 最 更 不 没 没有 所 之 其 并 而 但 但是 如果 因为 所以 以及 关于 是否 正在 地 得 着 过 ' +
  '是什么 有什么 有哪些 之间 当 时 后 前 里 中 上 下 做 用 来 去 说 看 干 嘛 啥 咋 咋样 样 意思 有没有 能不能 可不可以 是不是 会不会 一下 一些';

const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${CHINESE}`.split(' '));

/** `word` is folded (lower case, no apostrophes). */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
