// Covers that each function which runs in the page can be sent there as text: it uses nothing of its module.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const dir = resolve(import.meta.dirname, '../../../src/server/browser/in-page')
const sources = readdirSync(dir).filter((name) => name.endsWith('.ts'))
const files = sources.map((name) => ({
  name,
  statements: [
    ...ts.createSourceFile(name, readFileSync(join(dir, name), 'utf8'), ts.ScriptTarget.Latest, true).statements,
  ],
}))

/** Types and functions, which leave nothing in the built module that a function could use, but other functions. */
const isAllowed = (statement: ts.Statement) =>
  ts.isInterfaceDeclaration(statement) ||
  ts.isTypeAliasDeclaration(statement) ||
  (ts.isImportDeclaration(statement) && statement.importClause?.isTypeOnly === true) ||
  ts.isFunctionDeclaration(statement)

const identifiersIn = (node: ts.Node): string[] =>
  ts.isIdentifier(node) ? [node.text] : node.getChildren().flatMap(identifiersIn)

it.each(files)('$name contains functions and types only', ({ statements }) => {
  expect(statements.filter((statement) => !isAllowed(statement)).map((statement) => statement.getText())).toEqual([])
})

it.each(files)('no function of $name uses another one', ({ statements }) => {
  const functions = statements.filter(ts.isFunctionDeclaration)
  expect(functions.length).toBeGreaterThan(0)
  const names = functions.map(({ name }) => name!.text)
  for (const { name, body } of functions)
    expect(
      identifiersIn(body!).filter((each) => names.includes(each)),
      name!.text,
    ).toEqual([])
})
