import type { Api } from '../data/api.ts';
import type { Catalogue } from '../i18n/en.ts';
import { isSignedOut, toProblem } from '../data/problem.ts';
import { h, setText, toggle } from '../ui/element.ts';
import { explainCode } from '../ui/explain.ts';
import { logo } from '../ui/logo.ts';

/** Shown instead of everything else when the server no longer knows this browser. */
export function createSignInView(api: Api, texts: Catalogue, signedIn: () => void): HTMLElement {
  const input = h('input', {
    id: 'token',
    type: 'password',
    name: 'token',
    autocomplete: 'one-time-code',
    required: true,
    minlength: 16,
    maxlength: 200,
  });
  const failure = h('p', { class: 'form-failure', role: 'alert', hidden: true });
  const submit = h('button', { type: 'submit', class: 'button strong' }, texts.signIn);
  const form = h(
    'form',
    { class: 'sign-in card' },
    logo(),
    h('h1', {}, texts.signIn),
    h('p', { class: 'hint' }, texts.signInLead),
    h('label', { for: 'token' }, texts.signInToken),
    input,
    failure,
    submit,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    toggle(failure, false);
    submit.disabled = true;
    void api
      .signIn(input.value.trim())
      .then(signedIn, (thrown: unknown) => {
        const refused = isSignedOut(thrown) || toProblem(thrown).status === 400;
        setText(failure, refused ? texts.signInFailed : explainCode(toProblem(thrown).code, texts));
        toggle(failure, true);
        input.select();
      })
      .finally(() => (submit.disabled = false));
  });
  return h('main', { class: 'sign-in-page' }, form);
}
