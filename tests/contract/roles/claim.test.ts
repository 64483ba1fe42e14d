import { describe, expect, it } from 'vitest';
import { disagreement } from '#actors/roles/role-claim.ts';

const Q = {
  tower: 'The Alder tower, completed in March 1961, is 321 metres tall and cost 1.2 million pounds.',
  ci: 'Unlike npm install, npm ci deletes node_modules before it installs, and it never writes to package.json.',
  zh: '该项目由华东研究院于2024年3月启动，总投资约3.5亿元，覆盖12个城市。',
  share: 'In 2023 the share of renewable electricity rose to 41.5%, up from 38 per cent a year earlier.',
  none: 'The licence does not allow commercial use without written permission.',
};
const AROUND = ['Alder tower', 'Node.js'];
const about = (claim: string, quote: string) => disagreement(claim, { quotes: [quote], around: AROUND });

describe('claims and their quotes', () => {
  it.each([
    ['The Alder tower is 321 metres tall.', Q.tower],
    ['The tower cost £1,200,000.', Q.tower],
    ['It was completed in 03/1961.', Q.tower],
    ['Alder 塔于1961年3月建成，高321米。', Q.tower],
    ['建造费用为120万英镑。', Q.tower],
    ['npm ci removes node_modules before installing.', Q.ci],
    ['npm ci 不会写入 package.json。', Q.ci],
    ['npm ci never changes package.json.', Q.ci],
    ['项目于2024年3月启动。', Q.zh],
    ['总投资约为3.5亿元。', Q.zh],
    ['The investment is about 350 million yuan in 12 cities.', Q.zh],
    ['Renewable electricity reached 41.5 % in 2023.', Q.share],
    ['可再生电力占比从38%升至41.5%。', Q.share],
    ['Commercial use is not allowed without written permission.', Q.none],
    ['未经书面许可不得用于商业用途。', Q.none],
    [Q.tower, Q.tower],
  ])('[EV-03] %j agrees', (claim, quote) => {
    expect(about(claim, quote)).toBeNull();
  });

  it.each([
    ['The Alder tower is 312 metres tall.', Q.tower],
    ['The Alder tower is 32 metres tall.', Q.tower],
    ['The tower cost 12 million pounds.', Q.tower],
    ['Alder 塔于1962年建成。', Q.tower],
    ['建造费用为1200万英镑。', Q.tower],
    ['The Birch tower was completed in 1961.', Q.tower.replace('Alder', 'old')],
    ['In Paris the tower is 321 metres tall.', Q.tower],
    ['The tower, drawn by J. Muster, is 321 metres tall.', Q.tower],
    ['npm ci never deletes node_modules before version 8.', Q.ci],
    ['项目于2023年3月启动。', Q.zh],
    ['总投资约35亿元。', Q.zh],
    ['覆盖十二省120个城市。', Q.zh],
    ['Renewable electricity reached 45.1 % in 2023.', Q.share],
    ['The share rose to 41.5 % in 2024.', Q.share],
    ['Commercial use is allowed with the licence without a fee of 5 dollars.', Q.none],
    ['The licence allows commercial use, given written permission.', Q.none],
    ['Alder 塔并不高达321米。', 'The Alder tower is 321 metres tall.'],
    ['The tower was closed after an accident with tourists.', Q.tower],
    ['It was completed early.', 'completed'],
    ['GPT-7 supports this too: 321 metres.', Q.tower],
  ])('[EV-03] %j does not agree', (claim, quote) => {
    expect(about(claim, quote)).not.toBeNull();
  });
});
