import { type ESTree, Visitor, type VisitorObject } from "vite";

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A replacement of the source text from `start` to `end`. */
export interface Fault extends Span {
  readonly replacement: string;
}

const operators: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&&": "||",
  "||": "&&",
  "??": "&&",
  "+=": "-=",
  "-=": "+=",
  "||=": "=",
  "??=": "=",
  "++": "--",
  "--": "++",
};

const methods: ReadonlyMap<string, string> = new Map([
  ["min", "max"],
  ["max", "min"],
  ["floor", "ceil"],
  ["ceil", "floor"],
  ["round", "ceil"],
  ["some", "every"],
  ["every", "some"],
  ["push", "unshift"],
]);

/**
 * Methods that can be removed from a chain, because they return a value of the type that they are
 * called on.
 */
const chained: ReadonlySet<string> = new Set(
  "where orderBy limit filter sort toSorted slice trim toLowerCase toUpperCase catch finally forUpdate".split(
    " ",
  ),
);

/**
 * Finds all faults of a program. Types, imports, SQL, error texts and calls of `unref` are left
 * out: tests cannot notice them.
 */
export function faultsIn(source: string, program: ESTree.Program): Fault[] {
  const found: Fault[] = [];
  /** The depth of nodes without faults around the visitor's position. */
  let skipping = 0;
  const replace = ({ start, end }: Span, replacement: string) => {
    if (skipping === 0) found.push({ start, end, replacement });
  };
  const visitor = faultsOf((span) => source.slice(span.start, span.end), replace);
  const skip = () => {
    skipping += 1;
  };
  const resume = () => {
    skipping -= 1;
  };
  new Visitor({
    ...visitor,
    ImportDeclaration: skip,
    "ImportDeclaration:exit": resume,
    ExportNamedDeclaration: ({ source }) => source !== null && skip(),
    "ExportNamedDeclaration:exit": ({ source }) => source !== null && resume(),
    ExportAllDeclaration: skip,
    "ExportAllDeclaration:exit": resume,
    TSInterfaceDeclaration: skip,
    "TSInterfaceDeclaration:exit": resume,
    TSTypeAliasDeclaration: skip,
    "TSTypeAliasDeclaration:exit": resume,
    TSLiteralType: skip,
    "TSLiteralType:exit": resume,
    TaggedTemplateExpression: skip,
    "TaggedTemplateExpression:exit": resume,
    NewExpression: (node) => isError(node) && skip(),
    "NewExpression:exit": (node) => isError(node) && resume(),
  }).visit(program);
  return found;
}

function isError({ callee }: ESTree.NewExpression): boolean {
  return callee.type === "Identifier" && /Error$|^Overloaded$/.test(callee.name);
}

function faultsOf(
  textOf: (span: Span) => string,
  replace: (span: Span, replacement: string) => void,
): VisitorObject {
  const keys = new Set<number>();
  const replaceOperator = (operator: string, { end: start }: Span, { start: end }: Span) => {
    const replacement = operators[operator];
    const at = start + textOf({ start, end }).indexOf(operator);
    if (replacement !== undefined) replace({ start: at, end: at + operator.length }, replacement);
  };
  const replaceTest = (test: Span) => {
    replace(test, "true");
    replace(test, "false");
  };
  /** Makes functions without a return value return at once. */
  const replaceBody = ({ body }: { readonly body: ESTree.Node | null }) => {
    if (body?.type !== "BlockStatement" || body.body.length === 0) return;
    if (!/\breturn\s+[^;\s]/.test(textOf(body))) replace(body, "{}");
  };
  return {
    BinaryExpression(node) {
      const joinsTexts = node.operator === "+" && /["'`]/.test(textOf(node));
      if (!joinsTexts) replaceOperator(node.operator, node.left, node.right);
    },
    LogicalExpression: ({ operator, left, right }) => replaceOperator(operator, left, right),
    AssignmentExpression: ({ operator, left, right }) => replaceOperator(operator, left, right),
    UpdateExpression({ operator, prefix, argument, start, end }) {
      const sign = prefix ? { start, end: argument.start } : { start: argument.end, end };
      replace(sign, operator === "++" ? "--" : "++");
    },
    UnaryExpression(node) {
      if (node.operator === "!" || node.operator === "-") replace(node, textOf(node.argument));
    },
    IfStatement: ({ test }) => replaceTest(test),
    ConditionalExpression: ({ test }) => replaceTest(test),
    WhileStatement: ({ test }) => replace(test, "false"),
    ForStatement: ({ test }) => test !== null && replace(test, "false"),
    ExpressionStatement(node) {
      const { expression } = node;
      if (textOf(node).endsWith(".unref();")) return;
      replace(node, ";");
      if (expression.type === "AwaitExpression") replace(expression, textOf(expression.argument));
    },
    ThrowStatement: (node) => replace(node, ";"),
    BreakStatement: (node) => replace(node, ";"),
    ContinueStatement: (node) => replace(node, ";"),
    FunctionDeclaration: replaceBody,
    FunctionExpression: replaceBody,
    ArrowFunctionExpression: replaceBody,
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      const other = methods.get(callee.property.name);
      if (other !== undefined) replace(callee.property, other);
      if (chained.has(callee.property.name)) replace(node, textOf(callee.object));
    },
    ArrayExpression(node) {
      if (node.elements.length > 0) replace(node, "[]");
    },
    Property: ({ key }) => {
      keys.add(key.start);
    },
    Literal(node) {
      if (keys.has(node.start)) return;
      if (typeof node.value === "boolean") replace(node, String(!node.value));
      if (typeof node.value === "number")
        replace(node, node.value < 10 ? String(node.value + 1) : "0");
      if (typeof node.value === "string" && node.value !== "") replace(node, '""');
      if (!("regex" in node)) return;
      const { pattern, flags } = node.regex;
      if (pattern.startsWith("^")) replace(node, `/${pattern.slice(1)}/${flags}`);
      if (pattern.endsWith("$")) replace(node, `/${pattern.slice(0, -1)}/${flags}`);
    },
    TemplateLiteral(node) {
      if (node.quasis.some(({ value }) => value.raw !== "")) replace(node, "``");
    },
  };
}
