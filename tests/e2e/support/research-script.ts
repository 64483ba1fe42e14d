import { createHash } from 'node:crypto';
import type { Citation } from '#contracts/research/answer.ts';
import type { Block } from '#contracts/research/page.ts';
import type { SourceRevision } from '#contracts/research/source.ts';

/** One research job as data: the pages it reads and the answer it gives. Quotes are located in the pages, never typed. */
export type ResearchScript = {
  readonly query: string;
  readonly sources: readonly SourceRevision[];
  readonly citations: readonly Citation[];
  readonly markdown: string;
};

type Page = { title: string; path: string; language: string; lines: readonly (readonly [Block['kind'], string])[] };
const READ_AT = '2026-11-30T09:41:00.000Z';

function sourceOf(page: Page, index: number, prefix: string): SourceRevision {
  const blocks: Block[] = [];
  let text = '';
  for (const [kind, line] of page.lines) {
    if (text !== '') text += '\n';
    const table = kind === 'table_header' || kind === 'table_row' ? { table: { index: 0, row: blocks.length } } : {};
    blocks.push({ kind, text: line, start: text.length, end: text.length + line.length, ...table });
    text += line;
  }
  return {
    source_revision_id: `srv_${prefix}-source-${index}`,
    task_id: null,
    requested_url: `http://library.yunsou.internal/${page.path}`,
    final_url: `http://library.yunsou.internal/${page.path}`,
    method: 'browser',
    retrieved_time: READ_AT,
    parser_version: 'reader-1',
    content_hash: createHash('sha256').update(text).digest('hex'),
    title: page.title,
    language: page.language,
    page_kind: 'documentation',
    text,
    blocks,
    tables: [],
    fields: {},
    unread: [{ what: 'navigation', reason: 'not content' }],
    rights: { visibility: 'project', note: '' },
  };
}

function citationOf(
  sources: readonly SourceRevision[],
  n: number,
  at: number,
  quote: string,
  prefix: string,
): Citation {
  const source = sources[at]!;
  const start = source.text.indexOf(quote);
  if (start === -1) throw new Error(`the script quotes what its page does not say: ${quote}`);
  const { source_revision_id, final_url: url, title, language, retrieved_time } = source;
  return {
    n,
    evidence_id: `evd_${prefix}-quote-${n}`,
    quote,
    start,
    end: start + quote.length,
    source: { source_revision_id, url, title, language, retrieved_time },
  };
}

function script(prefix: string, query: string, pages: readonly Page[], quotes: readonly (readonly [number, string])[]) {
  const sources = pages.map((page, index) => sourceOf(page, index, prefix));
  const citations = quotes.map(([at, quote], index) => citationOf(sources, index + 1, at, quote, prefix));
  return { query, sources, citations };
}

export function englishScript(): ResearchScript {
  const pages: Page[] = [
    {
      title: 'npm-ci: clean install a project',
      path: 'npm/commands/npm-ci.html',
      language: 'en',
      lines: [
        ['title', 'npm-ci'],
        ['heading', 'Description'],
        [
          'paragraph',
          'This command is like npm install, except that it is meant for automated environments. It suits any situation in which a clean installation is wanted.',
        ],
        ['paragraph', 'The main differences between the two commands are:'],
        ['list_item', 'The project must have an existing lock file.'],
        [
          'list_item',
          'If dependencies in the lock file do not match those in package.json, npm ci will exit with an error, instead of updating the lock file.',
        ],
        [
          'list_item',
          'npm ci can only install entire projects at a time: individual dependencies cannot be added with this command.',
        ],
        [
          'list_item',
          'If a node_modules folder is already present, it will be automatically removed before npm ci begins its install.',
        ],
        ['heading', 'Configuration'],
        ['table_header', 'Name\tDefault\tType'],
        ['table_row', 'ignore-scripts\tfalse\tBoolean'],
        ['table_row', 'audit\ttrue\tBoolean'],
        ...Array.from(
          { length: 12 },
          (_, at) =>
            [
              'paragraph',
              `Further notes on configuration, part ${at + 1}: values are read from the command line, the environment and the configuration files, in that order.`,
            ] as const,
        ),
      ],
    },
    {
      title: 'npm-install: install a package',
      path: 'npm/commands/npm-install.html',
      language: 'en',
      lines: [
        ['title', 'npm-install'],
        ['paragraph', 'This command installs a package and any packages that it depends on.'],
        ['paragraph', 'If the package has a lock file, the installation of dependencies will be driven by that file.'],
        ['code', 'npm install <name> --save-exact'],
      ],
    },
  ];
  const quotes = [
    [
      0,
      'If dependencies in the lock file do not match those in package.json, npm ci will exit with an error, instead of updating the lock file.',
    ],
    [
      0,
      'If a node_modules folder is already present, it will be automatically removed before npm ci begins its install.',
    ],
    [
      0,
      'npm ci can only install entire projects at a time: individual dependencies cannot be added with this command.',
    ],
    [1, 'This command installs a package and any packages that it depends on.'],
  ] as const;
  const made = script('en-npm', 'difference between npm ci and npm install', pages, quotes);
  const [a, b, c, d] = made.citations.map((one) => one.quote);
  const markdown = ['## npm ci', '', `- ${a} [1]\n- ${b} [2]\n- ${c} [3]`, '', '## npm install', '', `- ${d} [4]`].join(
    '\n',
  );
  return { ...made, markdown };
}

export function chineseScript(): ResearchScript {
  const pages: Page[] = [
    {
      title: '停止、暂停与继续',
      path: 'help/zh-CN/stop-pause-resume.html',
      language: 'zh-CN',
      lines: [
        ['title', '停止、暂停与继续'],
        ['heading', '停止正在运行的任务'],
        [
          'paragraph',
          '要停止一个正在运行的任务，请点击进度卡片右上角的“停止”按钮。按钮会先显示“已接受停止”，等停止真正生效后才显示“已停止”。',
        ],
        ['paragraph', '停止之前已经提交的结果会全部保留，之后到达的结果会被隔离，不会改变报告。'],
        ['heading', '暂停'],
        ['paragraph', '暂停会先禁止新的动作，等任务走到安全点后才真正停下。继续之后仍是同一个任务。'],
        ['table_header', '按钮\t结果\t能否恢复'],
        ['table_row', '暂停\t在安全点停下\t可以'],
        ['table_row', '停止\t封存已有结果\t不可以，但可以新建任务继续'],
      ],
    },
    {
      title: '任务的生命周期',
      path: 'help/zh-CN/task-life-cycle.html',
      language: 'zh-CN',
      lines: [
        ['title', '任务的生命周期'],
        ['paragraph', '任务从草稿开始，经过排队和运行，最终到达一个终止状态。'],
        ['paragraph', '关闭标签页不会停止任何任务；重新打开后会从上次的事件继续显示。'],
      ],
    },
  ];
  const quotes = [
    [0, '要停止一个正在运行的任务，请点击进度卡片右上角的“停止”按钮。'],
    [0, '按钮会先显示“已接受停止”，等停止真正生效后才显示“已停止”。'],
    [0, '停止之前已经提交的结果会全部保留，之后到达的结果会被隔离，不会改变报告。'],
    [1, '关闭标签页不会停止任何任务；重新打开后会从上次的事件继续显示。'],
  ] as const;
  const made = script('zh-stop', '停止 正在运行 任务', pages, quotes);
  const markdown = [
    '## 停止正在运行的任务',
    '',
    made.citations
      .slice(0, 3)
      .map((one) => `- ${one.quote} [${one.n}]`)
      .join('\n'),
    '',
    '## 相关说明',
    '',
    `- ${made.citations[3]!.quote} [4]`,
  ].join('\n');
  return { ...made, markdown };
}
