import { alone, embed, made, quoted, redirect, run, text, type Vector } from './vector.ts';

const pictures: Vector[] = [
  embed('img', ({ http }) => `<img src="${http}/a.png">`),
  embed('img srcset', ({ http }) => `<img srcset="${http}/a.png 1x">`),
  embed('picture source', ({ http }) => `<picture><source srcset="${http}/a.webp"><img></picture>`),
  embed('new Image()', ({ http }) => run(`new Image().src=${text(`${http}/a.png`)}`)),
  embed('input image', ({ http }) => `<input type=image src="${http}/a.png">`),
  embed('table background', ({ http }) => `<table background="${http}/a.png"><tr><td>x</table>`),
  embed('body background', ({ http }) => `<iframe srcdoc="${quoted(`<body background="${http}/a.png">`)}"></iframe>`),
  embed('svg image', ({ http }) => `<svg width=9 height=9><image href="${http}/a.png" width=9 height=9 /></svg>`),
  embed(
    'svg feImage',
    ({ http, key }) =>
      `<svg width=9 height=9><filter id=f${key}><feImage href="${http}/a.png"/></filter><rect width=9 height=9 filter="url(#f${key})"/></svg>`,
  ),
  embed('svg script', ({ http }) => `<svg><script href="${http}/a.js"></script></svg>`),
  embed('svg document', ({ http }) => `<iframe src="${made('svg', `${http}/a.png`)}"></iframe>`),
  embed('video src', ({ http }) => `<video src="${http}/a.mp4" autoplay muted></video>`),
  embed('video source', ({ http }) => `<video autoplay muted><source src="${http}/a.mp4"></video>`),
  embed('video poster', ({ http }) => `<video poster="${http}/a.png"></video>`),
  embed('audio src', ({ http }) => `<audio src="${http}/a.mp3" preload=auto></audio>`),
  embed('track', ({ http }) => `<video crossorigin src="data:video/mp4,"><track default src="${http}/a.vtt"></video>`),
];

const styles: Vector[] = [
  embed('stylesheet', ({ http }) => `<link rel=stylesheet href="${http}/a.css">`),
  embed('css @import', ({ http }) => `<style>@import url(${http}/a.css);</style>`),
  embed('css background', ({ http }) => `<div style="background:url(${http}/a.png)">x</div>`),
  embed('css image-set', ({ http }) => `<div style="background:image-set(url(${http}/a.png) 1x)">x</div>`),
  embed('css mask', ({ http }) => `<div style="mask-image:url(${http}/a.png)">x</div>`),
  embed('css list-style', ({ http }) => `<ul style="list-style-image:url(${http}/a.png)"><li>x</ul>`),
  embed('css content', ({ http }) => `<div style="content:url(${http}/a.png)"></div>`),
  embed('css border-image', ({ http }) => `<div style="border:9px solid;border-image:url(${http}/a.png) 9">x</div>`),
  embed(
    'font-face',
    ({ http, key }) =>
      `<style>@font-face{font-family:F${key};src:url(${http}/a.woff2)}</style><p style="font-family:F${key}">text</p>`,
  ),
  embed('FontFace', ({ http }) => run(`await new FontFace('G','url(${http}/a.woff2)').load()`)),
  embed('css module', ({ http }) => run(`await import(${text(`${http}/a.css`)},{with:{type:'css'}})`)),
];

const scripts: Vector[] = [
  embed('script', ({ http }) => `<script src="${http}/a.js" async></script>`),
  embed('module script', ({ http }) => `<script type=module src="${http}/a.js"></script>`),
  embed('import()', ({ http }) => run(`await import(${text(`${http}/a.js`)})`)),
  alone(
    'document.write',
    ({ http }) => `<script>document.write('<script src="${http}/a.js" async><\\/script>')</script>`,
  ),
  embed('json module', ({ http }) => run(`await import(${text(`${http}/a.json`)},{with:{type:'json'}})`)),
  embed('paint worklet', ({ http }) => run(`await CSS.paintWorklet.addModule(${text(`${http}/a.js`)})`)),
  embed('audio worklet', ({ http }) =>
    run(`await new OfflineAudioContext(1,9,44100).audioWorklet.addModule(${text(`${http}/a.js`)})`),
  ),
];

const frames: Vector[] = [
  embed('iframe', ({ http }) => `<iframe src="${http}/"></iframe>`),
  embed('iframe srcdoc', ({ http }) => `<iframe srcdoc="${quoted(`<img src="${http}/a.png">`)}"></iframe>`),
  embed(
    'sandboxed iframe',
    ({ http }) =>
      `<iframe sandbox=allow-scripts srcdoc="${quoted(run(`await fetch(${text(http)},{mode:'no-cors'})`))}"></iframe>`,
  ),
  embed('data: iframe', ({ http }) => `<iframe src="data:text/html,<img src='${http}/a.png'>"></iframe>`),
  embed('blob: iframe', ({ http }) =>
    run(
      `const f=document.createElement('iframe');f.src=URL.createObjectURL(new Blob([${text(`<img src="${http}/a.png">`)}],{type:'text/html'}));document.documentElement.append(f)`,
    ),
  ),
  embed('javascript: iframe', ({ http }) => `<iframe src="javascript:'<img src=${http}/a.png>'"></iframe>`),
  embed('written iframe', ({ http }) =>
    run(
      `const f=document.createElement('iframe');document.documentElement.append(f);f.contentDocument.write(${text(`<img src="${http}/a.png">`)})`,
    ),
  ),
  embed('iframe sent on', ({ http }) =>
    run(
      `const f=document.createElement('iframe');document.documentElement.append(f);f.contentWindow.location=${text(`${http}/`)}`,
    ),
  ),
  embed('nested iframes', ({ http }) => `<iframe src="${made('nested', `${http}/`)}"></iframe>`),
  embed('frameset', ({ http }) => `<iframe src="${made('frameset', `${http}/`)}"></iframe>`),
  embed('iframe meta refresh', ({ http }) => `<iframe src="${made('refresh', `${http}/`)}"></iframe>`),
  embed('object', ({ http }) => `<object data="${http}/a.html" type="text/html"></object>`),
  embed('embed', ({ http }) => `<embed src="${http}/a.html" type="text/html">`),
  embed('base href', ({ http }) => `<iframe srcdoc="${quoted(`<base href="${http}/"><img src=a.png>`)}"></iframe>`),
  embed('xslt', ({ http }) => `<iframe src="${made('xslt', `${http}/a.png`)}"></iframe>`),
  embed('xhtml', ({ http }) => `<iframe src="${made('xhtml', `${http}/a.png`)}"></iframe>`),
  embed('csp report-uri', ({ http }) => `<iframe src="${made('csp', `${http}/report`)}"></iframe>`),
  embed('Link header', ({ http }) => `<iframe src="${made('link', `${http}/a.js`)}"></iframe>`),
  embed(
    'form GET in a frame',
    ({ http, key }) =>
      `<iframe name=g${key}></iframe><form target=g${key} action="${http}/"></form><script>document.currentScript.previousElementSibling.submit()</script>`,
  ),
  embed(
    'form POST in a frame',
    ({ http, key }) =>
      `<iframe name=p${key}></iframe><form method=post target=p${key} action="${http}/"></form><script>document.currentScript.previousElementSibling.submit()</script>`,
  ),
];

const hints: Vector[] = [
  embed('preload image', ({ http }) => `<link rel=preload as=image href="${http}/a.png">`),
  embed('preload fetch', ({ http }) => `<link rel=preload as=fetch href="${http}/a" crossorigin>`),
  embed('modulepreload', ({ http }) => `<link rel=modulepreload href="${http}/a.js">`),
  embed('prefetch', ({ http }) => `<link rel=prefetch href="${http}/a">`),
  embed('preconnect', ({ http }) => `<link rel=preconnect href="${http}">`),
  embed('icon', ({ http }) => `<link rel=icon href="${http}/a.ico">`),
  embed('manifest', ({ http }) => `<link rel=manifest href="${http}/a.webmanifest">`),
  embed(
    'speculative prefetch',
    ({ http }) =>
      `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["${http}/s"],"eagerness":"immediate"}]}</script>`,
  ),
  alone(
    'speculative prerender',
    ({ http }) =>
      `<script type=speculationrules>{"prerender":[{"source":"list","urls":["${made('leaf', `${http}/a.png`)}"],"eagerness":"immediate"}]}</script>`,
  ),
];

const redirected: Vector[] = [
  embed('img by 301', ({ http }) => `<img src="${redirect(301, `${http}/a.png`)}">`),
  embed('script by 302', ({ http }) => `<script async src="${redirect(302, `${http}/a.js`)}"></script>`),
  embed('iframe by 303', ({ http }) => `<iframe src="${redirect(303, `${http}/`)}"></iframe>`),
  embed('fetch by 307', ({ http }) =>
    run(`await fetch(${text(redirect(307, http))},{mode:'no-cors',method:'POST',body:'x'})`),
  ),
  embed('stylesheet by 308', ({ http }) => `<link rel=stylesheet href="${redirect(308, `${http}/a.css`)}">`),
  embed('video by 302', ({ http }) => `<video src="${redirect(302, `${http}/a.mp4`)}" autoplay muted></video>`),
  embed('event source by 307', ({ http }) => run(`new EventSource(${text(redirect(307, `${http}/e`))})`)),
  embed('beacon by 307', ({ http }) => run(`navigator.sendBeacon(${text(redirect(307, `${http}/b`))},'x')`)),
  embed('xhr by a chain', ({ http }) =>
    run(
      `const x=new XMLHttpRequest();x.open('GET',${text(redirect(301, redirect(302, redirect(307, `${http}/x`))))});x.send()`,
    ),
  ),
  embed('object by 302', ({ http }) => `<object data="${redirect(302, `${http}/a.html`)}" type="text/html"></object>`),
];

export const EMBEDDED: readonly Vector[] = [...pictures, ...styles, ...scripts, ...frames, ...hints, ...redirected];
