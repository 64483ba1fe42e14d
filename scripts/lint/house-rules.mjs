// House rules
//
// Rules of this project that the linter does not bring along. Plain JavaScript: the linter loads this file itself.
// Owns:     how a rule recognises its case.
// Owns not: where a rule applies (.oxlintrc.json), who may import whom (import-table.ts).
//
//   LR1  Each rule of .oxlintrc.json refuses its case, with a message that names the alternative.
//   LR2  The same code is accepted where it is meant to stand.

/** A rule that reports every node a visitor picks. */
function rule(message, visit) {
  return {
    meta: { type: 'problem', docs: { description: message }, schema: [] },
    create(context) {
      return visit((node) => context.report({ node, message }));
    },
  };
}

const noEnum = rule('No enums: they are code that types cannot erase. Use z.enum or a union of strings.', (report) => ({
  TSEnumDeclaration: report,
}));

const noDynamicImport = rule(
  'No import(): what a file needs stands at its top. A heavy library that is rarely needed may be an exception in .oxlintrc.json.',
  (report) => ({ ImportExpression: report }),
);

const noBarrel = rule('No barrels and no `export *`: import from the file that defines the thing.', (report) => ({
  ExportAllDeclaration: report,
  Program(node) {
    const isReExport = (statement) => statement.type === 'ExportNamedDeclaration' && Boolean(statement.source);
    if (node.body.length > 0 && node.body.every(isReExport)) report(node.body[0]);
  },
}));

const noAsyncInPureFile = rule(
  'A pure file is synchronous: what waits belongs in effects.ts or runtime/host, and its result comes back as an event.',
  (report) => {
    const reportAsync = (node) => {
      if (node.async) report(node);
    };
    return {
      FunctionDeclaration: reportAsync,
      FunctionExpression: reportAsync,
      ArrowFunctionExpression: reportAsync,
      AwaitExpression: report,
    };
  },
);

const noBareError = rule(
  'No `throw new Error(…)`: expected failures are fail(code, message) from #contracts/errors.ts, impossible ones are TypeError or RangeError.',
  (report) => ({
    ThrowStatement(node) {
      const thrown = node.argument;
      if (thrown?.type === 'NewExpression' && thrown.callee.type === 'Identifier' && thrown.callee.name === 'Error')
        report(node);
    },
  }),
);

export default {
  meta: { name: 'house' },
  rules: {
    'no-enum': noEnum,
    'no-dynamic-import': noDynamicImport,
    'no-barrel': noBarrel,
    'no-async-in-pure-file': noAsyncInPureFile,
    'no-bare-error': noBareError,
  },
};
