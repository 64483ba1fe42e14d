import type { Bus } from '#contracts/ports/bus.ts';

type Listener = (payload: string, subject: string) => void;

/** The bus of one process. Listeners are called after the publisher's current work, never inside it. */
export function createMemoryBus(): Bus {
  const exact = new Map<string, Set<Listener>>();
  const patterns = new Map<string, Set<Listener>>();
  let isOpen = true;

  const notify = (listeners: ReadonlySet<Listener> | undefined, subject: string, payload: string): void => {
    for (const listener of listeners ?? []) {
      queueMicrotask(() => {
        if (isOpen && listeners?.has(listener) === true) listener(payload, subject);
      });
    }
  };

  return {
    publish(subject, payload) {
      if (!isOpen) return;
      notify(exact.get(subject), subject, payload);
      for (const [pattern, listeners] of patterns) {
        if (matchesSubject(pattern, subject)) notify(listeners, subject, payload);
      }
    },
    subscribe(subject, listener) {
      const table = subject.split('.').includes('*') ? patterns : exact;
      const listeners = table.get(subject) ?? new Set<Listener>();
      table.set(subject, listeners);
      // a set of wrappers, so that the same function may listen twice
      const own: Listener = (payload, at) => listener(payload, at);
      listeners.add(own);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0 && table.get(subject) === listeners) table.delete(subject);
      };
    },
    close() {
      isOpen = false;
      exact.clear();
      patterns.clear();
      return Promise.resolve();
    },
  };
}

function matchesSubject(pattern: string, subject: string): boolean {
  const wanted = pattern.split('.');
  const tokens = subject.split('.');
  return wanted.length === tokens.length && wanted.every((token, index) => token === '*' || token === tokens[index]);
}
