/** A page of a site as such pages are made: menu, content, foot. All of it is written for these tests. */
export function framed(title: string, content: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>
<header class="site-header"><a href="/">Harbour Post</a><nav><ul><li><a href="/news">News</a></li><li><a href="/sport">Sport</a></li>
<li><a href="/weather">Weather</a></li><li><a href="/account/login">Sign in</a></li></ul></nav></header>
<main>${content}</main>
<footer><p>© Harbour Post</p><ul><li><a href="/about">About</a></li><li><a href="/privacy">Privacy</a></li><li><a href="/cookies">Cookies</a></li></ul></footer>
</body></html>`;
}

export const bare = (title: string, body: string, head = ''): string =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`;

const SENTENCES = [
  'The ferry that crosses the sound twice a day was built in a yard that closed before most of its passengers were born.',
  'Its captain keeps a list of every storm since 1987, written in pencil, because ink runs when the windows leak.',
  'On a clear morning the islands stand so sharply against the sky that visitors take them for paintings.',
  'Nobody in the village remembers who planted the pines, although everyone has an opinion about who should cut them.',
  'The council voted in March to repair the quay, and in April to wait, and in May to ask an engineer.',
  'Fishermen say that the herring come back when the price of diesel falls, which is not what the biologists say.',
];
export const prose = (paragraphs: number): string =>
  Array.from(
    { length: paragraphs },
    (_, at) => `<p>${[0, 1, 2].map((more) => SENTENCES[(at + more) % SENTENCES.length] ?? '').join(' ')}</p>`,
  ).join('\n');

const HAN = [
  '渡轮每天往返两次，船长用铅笔记下一九八七年以来的每一场风暴。',
  '村里没有人记得松树是谁种的，但每个人都知道应该由谁来砍。',
  '委员会三月决定修码头，四月决定再等等，五月决定请一位工程师。',
  '晴朗的早晨，群岛的轮廓清晰得像一幅画，游客常常停下来拍照。',
];
export const hanProse = (paragraphs: number): string =>
  Array.from(
    { length: paragraphs },
    (_, at) => `<p>${[0, 1, 2].map((more) => HAN[(at + more) % HAN.length] ?? '').join('')}</p>`,
  ).join('\n');
