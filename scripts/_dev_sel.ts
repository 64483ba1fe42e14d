import { readFileSync } from 'node:fs';
import { unitsOf, type Unit } from '#actors/roles/extractor/units.ts';
import { rankUnits } from '#actors/roles/extractor/ranking.ts';
import { selectAnswerUnits } from '#actors/roles/extractor/selection.ts';
import { detectLanguage } from '#contracts/text/language.ts';
const load=(f:string)=>JSON.parse(readFileSync(f,'utf8')) as any[];
const npm=load('/tmp/h3/npm.json'), help=load('/tmp/h3/help.json');
const U=(ps:any[],pre:string)=>ps.flatMap(p=>unitsOf(p,pre+p.file));
const units=[...U(npm,'npm/'),...U(help,'help/')];
const related=['What is the difference between npm ci and npm install?','How do I publish a package?','how to remove a package','What does npm audit fix do?','how do I stop a running task?','what is a sealed package','where is the npm config file','how can I log in to the registry','what does the engines field in package.json mean','how to list outdated packages','What is a workspace','how to deprecate a version','Can I search inside PDF files?','which port is used by default?','how to verify a package offline',
'怎么停止一个正在运行的任务?','引用编号是什么意思','没有配置模型时会怎么样','数据保存在哪里','怎么添加一个文件夹到资料库','支持哪些文件格式','默认端口是多少','如何离线验证结果包','什么是证据','按回车键会怎么样'];
const unrelated=['What is the capital of France?','Who won the 2018 football world cup?','How tall is Mount Everest?','What is the boiling point of mercury?','Who wrote Pride and Prejudice?','How do I bake sourdough bread?','When did the Roman Empire fall?','What is the population of Canada?','Which planet has the most moons?','How many bones are in the human body?','what is the best treatment for malaria','who painted the Mona Lisa',
'法国的首都是哪里?','珠穆朗玛峰有多高?','谁写了红楼梦?','怎么做红烧肉?','2018年世界杯谁赢了?','水的沸点是多少?','中国有多少个民族?','北京今天天气怎么样?','高血压应该吃什么药?','秦始皇是哪一年统一六国的?','钢琴有多少个键?','如何学习游泳?','how long do elephants live','what language is spoken in Brazil'];
for(const [name,list] of [['related',related],['unrelated',unrelated]] as const){ let none=0; for(const q of list){ const t=performance.now(); const r=rankUnits(q,units); const dt=performance.now()-t; const s=selectAnswerUnits(r,{form:'short_answer',maxUnits:6,question:q,units}); if(!s.length)none++; console.log(s.length,q,Math.round(dt)+'ms',(r[0]?.support??0).toFixed(2), Math.max(...r.slice(0,10).map(x=>x.support)).toFixed(2)); if(name==='related'||s.length) for(const x of s.slice(0,2)) console.log('      ',x.score.toFixed(1),x.support.toFixed(2),x.unit.source,'|',x.unit.text.slice(0,140),'{'+x.why+'}'); } console.log(name,'none',none,'of',list.length);}
console.log(units.length);
