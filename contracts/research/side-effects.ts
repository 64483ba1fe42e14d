/**
 * Wishes that change something outside: a reading task cannot grant them. A word about buying is not such a wish
 * ("what should I buy", "购买力"), an order to the product is.
 */
const ORDERS: readonly RegExp[] = [
  /(?:^|[.!?;,]\s+|\b(?:please|and then|then)\s+)((?:buy|order|purchase|book|reserve|pay for|send|e-?mail|submit|delete|upload|sign up|log ?in(?:to)?|register)\s+(?:me|us|it|them|a|an|the|my|our|two|three|\d+)\b[^.!?;\n]{0,80})/iu,
  /(?:^|[。！？；，,\s]|请|并|然后|再)((?:帮我|替我|给我)(?:买|购买|下单|订购|预订|订|预约|付款|支付|发送|发|寄|提交|删除|上传|注册|登录|填写)(?!些?什么|哪)[^。！？；\n]{1,40})/u,
];
/** “发给我”“send me a summary” asks for an answer, which is what a task gives. */
const TO_THE_ASKER =
  /^(?:send|e-?mail)\s+(?:me|us)\s+(?:a|an|the)\s+(?:report|summary|list|table|overview|link)|^(?:帮我|给我|替我)发(?:一份|一个|一下)?(?:报告|总结|摘要|清单|表)/iu;

/** The words of the first such wish, or null. */
export function findSideEffect(text: string): string | null {
  for (const order of ORDERS) {
    const wish = order.exec(text)?.[1]?.trim();
    if (wish !== undefined && !TO_THE_ASKER.test(wish)) return [...wish].slice(0, 80).join('');
  }
  return null;
}
