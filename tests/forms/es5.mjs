// Says what in scripts is newer than ECMAScript 5, as a list of "FILE:LINE what".
//
//     node es5.mjs NODE_MODULES FILE… < /dev/null
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, ...paths] = process.argv.slice(2);
const { parse } = createRequire(join(modules, "x.js"))("acorn");

// ECMA-262, 5.1 edition: the nodes of its syntax, and what its built-in objects bring along (chapter 15).
const NODES = new Set(`Program FunctionDeclaration FunctionExpression VariableDeclaration VariableDeclarator Identifier
  Literal ThisExpression ArrayExpression ObjectExpression Property UnaryExpression UpdateExpression BinaryExpression
  AssignmentExpression LogicalExpression MemberExpression ConditionalExpression CallExpression NewExpression
  SequenceExpression EmptyStatement BlockStatement ExpressionStatement IfStatement LabeledStatement BreakStatement
  ContinueStatement WithStatement SwitchStatement SwitchCase ReturnStatement ThrowStatement TryStatement CatchClause
  WhileStatement DoWhileStatement ForStatement ForInStatement DebuggerStatement`.split(/\s+/));
const MEMBERS = new Set(`getPrototypeOf getOwnPropertyDescriptor getOwnPropertyNames create defineProperty
  defineProperties seal freeze preventExtensions isSealed isFrozen isExtensible keys prototype constructor toString
  toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable length apply call bind isArray concat join
  pop push reverse shift slice sort splice unshift indexOf lastIndexOf every some forEach map filter reduce reduceRight
  fromCharCode charAt charCodeAt localeCompare match replace search split substring toLowerCase toLocaleLowerCase
  toUpperCase toLocaleUpperCase trim toFixed toExponential toPrecision abs acos asin atan atan2 ceil cos exp floor log
  max min pow random round sin sqrt tan parse now exec test source global ignoreCase multiline lastIndex name message
  `.split(/\s+/));
const BUILT_IN = [Object, Function, Array, String, Number, Boolean, RegExp, Date].flatMap(
  each => [each, each.prototype]).concat([Math, JSON]);

function* newer(node) {
  if (!NODES.has(node.type)) { yield [node, node.type]; }
  if (node.kind === "let" || node.kind === "const") { yield [node, node.kind]; }
  if (node.shorthand || node.computed && node.type === "Property" || node.method) { yield [node, "short property"]; }
  if (node.generator || node.async) { yield [node, "generator or async"]; }
  if (node.operator === "**" || node.operator === "**=") { yield [node, node.operator]; }
  if (node.regex && (/[^gim]/.test(node.regex.flags) || /\(\?<|\\[pku]\{?/.test(node.regex.pattern))) {
    yield [node, "regular expression"];
  }
  if (node.type === "MemberExpression" && !node.computed && !MEMBERS.has(node.property.name)
      && BUILT_IN.some(each => Object.hasOwn(each, node.property.name))) { yield [node, node.property.name]; }
  for (const child of Object.values(node).flat()) {
    if (child && typeof child.type === "string") { yield* newer(child); }
  }
}

const found = [];
for (const path of paths) {
  for (const [node, what] of newer(parse(readFileSync(path, "utf8"), { ecmaVersion: "latest", locations: true }))) {
    found.push(`${path}:${node.loc.start.line} ${what}`);
  }
}
process.stdout.write(JSON.stringify(found), () => process.exit(0));
