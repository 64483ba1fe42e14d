import { describe, expect, it } from 'vitest';
import { canonicalJson } from '#contracts/canonical-json.ts';

/** RFC 8785, appendix B: the bits of a number and its text. */
const NUMBERS: readonly (readonly [bits: string, text: string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

function numberOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}

describe('canonical JSON', () => {
  it.each(NUMBERS)('[TS-05] the number with the bits %s is %s', (bits, text) => {
    expect(canonicalJson(numberOf(bits))).toBe(text);
  });

  it.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])('[TS-05] refuses %s, no number', (bits) => {
    expect(() => canonicalJson({ a: [numberOf(bits)] })).toThrow(TypeError);
  });

  it('[TS-05] sorts keys by UTF-16 code units, which is not the order of code points', () => {
    const keys = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 };
    expect(Object.keys(JSON.parse(canonicalJson(keys)) as object)).toHaveLength(7);
    const order = [...canonicalJson(keys).matchAll(/:(\d)/g)].map(([, value]) => value);
    expect(order).toEqual(['2', '4', '6', '7', '1', '5', '3']);
  });

  it('[TS-05] writes the sample of the RFC as the RFC does', () => {
    const sample = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('[TS-05] sorts at every depth, keeps the order of lists, leaves out what is undefined', () => {
    const nested = { b: [{ z: 1, a: 2 }, 3], a: { d: undefined as never, c: '' } };
    expect(canonicalJson(nested)).toBe('{"a":{"c":""},"b":[{"a":2,"z":1},3]}');
  });

  it.each(['\ud800', 'a\udc00b', { '\udfff': 1 }])('[TS-05] refuses half of a surrogate pair: %j', (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
  });
});
