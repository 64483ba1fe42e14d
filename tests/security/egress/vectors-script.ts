import { alone, embed, redirect, run, text, type Target, type Vector } from './vector.ts';

const request = (http: string): string => `await fetch(${text(`${http}/f`)},{mode:'no-cors'})`;
const blob = (script: string): string => `URL.createObjectURL(new Blob([${text(script)}],{type:'text/javascript'}))`;
const worker = (id: string, script: (to: Target) => string, options = ''): Vector =>
  embed(id, (to) => run(`new Worker(${blob(`(async()=>{${script(to)}})()`)}${options})`));
const shared = (id: string, script: (to: Target) => string): Vector =>
  embed(id, (to) => run(`new SharedWorker(${blob(`(async()=>{${script(to)}})()`)})`));

const calls: Vector[] = [
  embed('fetch', ({ http }) => run(request(http))),
  embed('fetch https', ({ https }) => run(request(https))),
  embed('cors preflight', ({ http }) => run(`await fetch(${text(`${http}/p`)},{method:'PUT',headers:{'x-a':'1'}})`)),
  embed('fetch keepalive', ({ http }) =>
    run(`await fetch(${text(`${http}/k`)},{mode:'no-cors',keepalive:true,method:'POST',body:'x'})`),
  ),
  embed('fetchLater', ({ https }) => run(`fetchLater(${text(`${https}/l`)},{activateAfter:0})`)),
  embed('xhr', ({ http }) => run(`const x=new XMLHttpRequest();x.open('GET',${text(`${http}/x`)});x.send()`)),
  alone('xhr sync', ({ http }) =>
    run(`const x=new XMLHttpRequest();x.open('GET',${text(`${http}/x`)},false);x.send()`),
  ),
  embed('beacon', ({ http }) => run(`navigator.sendBeacon(${text(`${http}/b`)},'x')`)),
  embed('event source', ({ http }) => run(`new EventSource(${text(`${http}/e`)})`)),
  embed('web socket', ({ ws }) => run(`new WebSocket(${text(`${ws}/s`)})`)),
  embed('secure web socket', ({ ws }) => run(`new WebSocket(${text(`${ws.replace('ws:', 'wss:')}/s`)})`)),
  embed('web socket stream', ({ ws }) => run(`new WebSocketStream(${text(`${ws}/s`)})`)),
  embed('ping attribute', ({ http }) =>
    run(
      `const a=document.createElement('a');a.href='#x';a.ping=${text(`${http}/ping`)};document.documentElement.append(a);a.click()`,
    ),
  ),
  embed('abandoned iframe', ({ http }) =>
    run(
      `const f=document.createElement('iframe');f.srcdoc='x';f.onload=()=>{f.contentWindow.addEventListener('pagehide',()=>f.contentWindow.navigator.sendBeacon(${text(`${http}/u`)},'x'));f.remove()};document.documentElement.append(f)`,
    ),
  ),
];

const workers: Vector[] = [
  worker('worker fetch', ({ http }) => request(http)),
  worker('worker xhr', ({ http }) => `const x=new XMLHttpRequest();x.open('GET',${text(`${http}/x`)});x.send()`),
  worker('worker importScripts', ({ http }) => `importScripts(${text(`${http}/a.js`)})`),
  worker('worker import()', ({ http }) => `await import(${text(`${http}/a.js`)})`, `,{type:'module'}`),
  worker('worker web socket', ({ ws }) => `new WebSocket(${text(`${ws}/s`)})`),
  worker('worker event source', ({ http }) => `new EventSource(${text(`${http}/e`)})`),
  worker('nested worker', ({ http }) => `new Worker(${blob(request(http).replace('await ', ''))})`),
  shared('shared worker fetch', ({ http }) => request(http)),
  shared('shared worker web socket', ({ ws }) => `new WebSocket(${text(`${ws}/s`)})`),
  embed('service worker fetch', ({ http, key }) =>
    run(
      `await navigator.serviceWorker.register('/made/worker?to=${encodeURIComponent(`${http}/w`)}',{scope:'/scope-${key}'})`,
    ),
  ),
];

const windows: Vector[] = [
  alone('window.open', ({ http }) => run(`open(${text(`${http}/o`)})`)),
  alone('window.open noopener', ({ http }) => run(`open(${text(`${http}/o`)},'','noopener')`)),
  alone('opened window sent on', ({ http }) => run(`const w=open('about:blank');w.location=${text(`${http}/o`)}`)),
  alone('link to a new window', ({ http }) =>
    run(
      `const a=document.createElement('a');a.href=${text(`${http}/o`)};a.target='_blank';document.documentElement.append(a);a.click()`,
    ),
  ),
  alone('download by redirect', ({ http }) =>
    run(
      `const a=document.createElement('a');a.href=${text(redirect(302, `${http}/d`))};a.download='d';document.documentElement.append(a);a.click()`,
    ),
  ),
  embed('download in a frame', ({ http }) => `<iframe src="${http}/download"></iframe>`),
];

const peer = (servers: string, more = ''): string =>
  `const c=new RTCPeerConnection({iceServers:[${servers}]});c.createDataChannel('x');const o=await c.createOffer();await c.setLocalDescription(o);${more}`;
const account = `username:'u',credential:'p'`;
/** A candidate of the other side that lies about where it is. */
const candidate = (kind: string): string =>
  `const d=new RTCPeerConnection();d.ondatachannel=()=>0;await d.setRemoteDescription(o);const n=await d.createAnswer();await d.setLocalDescription(n);await c.setRemoteDescription(n);await c.addIceCandidate({candidate:${kind},sdpMid:'0'});`;

const peers: Vector[] = [
  alone('stun', ({ host, port }) => run(peer(`{urls:'stun:${host}:${port}'}`))),
  alone('turn by udp', ({ host, port }) => run(peer(`{urls:'turn:${host}:${port}?transport=udp',${account}}`))),
  alone('turn by tcp', ({ host, port }) => run(peer(`{urls:'turn:${host}:${port}?transport=tcp',${account}}`))),
  alone('turns by tcp', ({ host, port }) => run(peer(`{urls:'turns:${host}:${port}?transport=tcp',${account}}`))),
  alone('ice candidate by udp', ({ host, port }) =>
    run(peer('', candidate(`'candidate:1 1 udp 2122260223 ${host} ${port} typ host'`))),
  ),
  alone('ice candidate by tcp', ({ host, port }) =>
    run(peer('', candidate(`'candidate:1 1 tcp 1518280447 ${host} ${port} typ host tcptype passive'`))),
  ),
  alone('web transport', ({ https }) => run(`await new WebTransport(${text(`${https}/t`)}).ready`)),
];

export const SCRIPTED: readonly Vector[] = [...calls, ...workers, ...windows, ...peers];
