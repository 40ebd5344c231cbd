// Covers that what runs in the page can be sent there as text: functions use nothing of their modules but helpers that are sent too.
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
  ts.isFunctionDeclaration(statement) ||
  (ts.isVariableStatement(statement) && /: PageScript</.test(statement.getText()))

const identifiersIn = (node: ts.Node): string[] =>
  ts.isIdentifier(node) ? [node.text] : node.getChildren().flatMap(identifiersIn)

/** The names of the helpers of the page scripts in a module. */
async function helpersIn(file: string): Promise<string[]> {
  const exported = Object.values((await import(join(dir, file))) as Record<string, unknown>)
  return exported.flatMap((each) => {
    if (typeof each !== 'object' || each === null || !('helpers' in each)) return []
    return (each.helpers as (() => unknown)[]).map(({ name }) => name)
  })
}

it.each(files)('$name contains functions and types only', ({ statements }) => {
  expect(statements.filter((statement) => !isAllowed(statement)).map((statement) => statement.getText())).toEqual([])
})

it.each(files)(
  'each function of $name uses no others than the helpers that are sent with it',
  async ({ name, statements }) => {
    const functions = statements.filter(ts.isFunctionDeclaration)
    const names = functions.map((each) => each.name!.text)
    const helpers = await helpersIn(name)
    const used = functions.flatMap(({ body }) => identifiersIn(body!).filter((each) => names.includes(each)))
    expect(used.filter((each) => !helpers.includes(each))).toEqual([])
    expect(helpers.filter((each) => !used.includes(each))).toEqual([])
  },
)
