import typescript from 'typescript';

export type TestTitle = {
  readonly line: number;
  readonly title: string;
  /** Ids in brackets at the start of this title, else of the nearest enclosing `describe`. */
  readonly ids: readonly string[];
};

const TESTS = new Set(['it', 'test']);
const ID = /^[A-Z]{1,3}-?\d{1,3}[a-z]?$/;

/** `[TK-04]`, `[TK-04, ST-01]` or `[TK-04] [ST-01]` at the start of a title. */
export function idsOfTitle(title: string): string[] {
  const brackets = /^(?:\[[^\]]*\]\s*)+/.exec(title)?.[0] ?? '';
  return brackets.split(/[[\],\s/+]+/).filter((word) => ID.test(word));
}

/** `it` of `it(…)`, `it.each(…)(…)`, `it.skipIf(…)(…)`. */
function rootName(expression: typescript.Expression): string {
  if (typescript.isIdentifier(expression)) return expression.text;
  if (typescript.isPropertyAccessExpression(expression)) return rootName(expression.expression);
  if (typescript.isCallExpression(expression)) return rootName(expression.expression);
  return '';
}

/** Text of a title; what a template fills in is left out. */
function titleOf(argument: typescript.Expression | undefined): string | undefined {
  if (!argument) return undefined;
  if (typescript.isStringLiteralLike(argument)) return argument.text;
  if (!typescript.isTemplateExpression(argument)) return undefined;
  return argument.head.text + argument.templateSpans.map((span) => `\${}${span.literal.text}`).join('');
}

/** Titles of all tests in a file, found in its syntax and not by its text. A title that is computed is not judged. */
export function readTestTitles(path: string, text: string): TestTitle[] {
  const file = typescript.createSourceFile(path, text, typescript.ScriptTarget.ES2023, true);
  const found: TestTitle[] = [];
  const visit = (node: typescript.Node, inherited: readonly string[]): void => {
    let ids = inherited;
    if (typescript.isCallExpression(node)) {
      const name = rootName(node.expression);
      const title = titleOf(node.arguments[0]);
      const isSuite = name === 'describe' || name === 'suite';
      if (title !== undefined && node.arguments.length > 1 && (isSuite || TESTS.has(name))) {
        const own = idsOfTitle(title);
        if (own.length > 0 || title.startsWith('[${}')) ids = own;
        const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
        if (!isSuite && !title.startsWith('[${}')) found.push({ line, title, ids });
      }
    }
    typescript.forEachChild(node, (child) => visit(child, ids));
  };
  visit(file, []);
  return found;
}
