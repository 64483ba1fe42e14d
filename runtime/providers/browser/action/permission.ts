// Permission
//
// What may be done with a control when a session may only read (BR-08). Pure; the page's own words never widen it.
//
//   PE1  A form that sends, uploads or holds a secret is never touched; a search by GET is.
//   PE2  A link is followed when it leads to a web page and neither its words nor its address buy, send, delete or sign in or out.
//   PE3  A button whose effect cannot be told is refused; one that shows more of the page is allowed.
import type { Allowance } from '#contracts/browser/observation.ts';
import type { Meaning, WalkedControl } from '../observation/walk-script.ts';
import { soundsHarmful, soundsLikeReading } from './harm-words.ts';

export type Doing = 'click' | 'input';

const allowed: Allowance = { verdict: 'allowed' };
const refused = (reason: string): Allowance => ({ verdict: 'refused', reason });

const TEXT_TYPES = new Set([
  'text',
  'search',
  'number',
  'date',
  'month',
  'week',
  'time',
  'datetime-local',
  'range',
  '',
]);
const HARMFUL_PATH =
  /(?:^|[/_.?&=-])(?:delete|remove|destroy|logout|log-?out|sign-?out|unsubscribe|buy|purchase|checkout|add-?to-?cart|cart|order|pay|vote|like|follow|send)(?:$|[/_.?&=-])/iu;

export function actionsOf({ tag, type, meaning, isEditable }: WalkedControl): Doing[] {
  if (isEditable || tag === 'textarea' || tag === 'select') return ['input'];
  if (tag !== 'input')
    return meaning.role === 'textbox' || meaning.role === 'searchbox' ? ['click', 'input'] : ['click'];
  return TEXT_TYPES.has(type) || type === 'email' || type === 'tel' || type === 'url' ? ['input'] : ['click'];
}

/** What can be said before anything is tried. */
export function judgeControl(control: WalkedControl): Allowance {
  if (control.isSecret) return refused('It is a field for something secret.');
  if (control.isDisabled) return refused('It is disabled.');
  if (control.type === 'file') return refused('Uploading is outside the permission to read.');
  if (actionsOf(control).includes('input')) return judgeField(control);
  if (control.meaning.href !== null) return judgeLink(control.meaning, control.isDownload);
  return judgeButton(control);
}

function judgeForm({ meaning: { form }, formFields }: WalkedControl): Allowance {
  if (form === null) return allowed;
  if (form.method !== 'get') return refused('Its form sends something; only searches by GET are allowed.');
  if (formFields.includes('secret') || formFields.includes('file'))
    return refused('Its form holds something secret or a file.');
  if (!/^https?:/iu.test(form.action)) return refused('Its form does not lead to a web page.');
  if (HARMFUL_PATH.test(pathOf(form.action))) return refused('Where its form leads sounds like more than reading.');
  return allowed;
}

function judgeField(control: WalkedControl): Allowance {
  if (/^(?:email|tel)$/u.test(control.type)) return refused('It asks for a personal address.');
  return judgeForm(control);
}

function judgeLink({ href, name }: Meaning, isDownload: boolean): Allowance {
  const address = href ?? '';
  if (!/^https?:/iu.test(address)) return refused('It does not lead to a web page.');
  if (isDownload) return refused('Downloads are not kept; open its address to read it.');
  if (soundsHarmful(name)) return refused('Its words sound like buying, sending, deleting or signing in or out.');
  if (HARMFUL_PATH.test(pathOf(address)))
    return refused('Its address sounds like buying, sending, deleting or signing out.');
  return allowed;
}

function judgeButton(control: WalkedControl): Allowance {
  const { meaning, type, isExpander, formFields } = control;
  const isSearch = meaning.form !== null && formFields.some((field) => /^(?:search|text|select)$/u.test(field));
  const form = judgeForm(control);
  const sends = meaning.form !== null && (type === 'submit' || type === 'image');
  if (sends && form.verdict === 'refused') return form;
  if (sends && soundsLikeReading(meaning.name) && isSearch) return allowed;
  if (soundsHarmful(meaning.name))
    return refused('Its words sound like buying, sending, deleting or signing in or out.');
  if (sends) return isSearch ? allowed : refused('What its form does cannot be told.');
  if (/^(?:checkbox|radio|switch|option|menuitem)$/u.test(meaning.role)) return form;
  if (isExpander || soundsLikeReading(meaning.name)) return allowed;
  return refused('What it does cannot be told, and the session may only read.');
}

function pathOf(address: string): string {
  return address.replace(/^[a-z]+:\/\/[^/?#]*/iu, '');
}
