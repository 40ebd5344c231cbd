import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'

export interface RegularExpression {
  /** File and line. */
  place: string
  source: string
  flags: string
}

const ROOT = join(import.meta.dirname, '../..')

/** Each regular expression literal in the sources once. */
export function findRegularExpressions(): RegularExpression[] {
  const found = sourceFiles().flatMap(({ path, sourceFile }) =>
    nodesIn(sourceFile)
      .filter(ts.isRegularExpressionLiteral)
      .map((node) => ({ place: `${path}:${lineOf(node, sourceFile)}`, ...parseLiteral(node.text) })),
  )
  return [...new Map(found.map((each) => [`/${each.source}/${each.flags}`, each])).values()]
}

/** Where the sources build a regular expression from a text, and from which. */
export function findBuiltExpressions(): { place: string; argument: string }[] {
  return sourceFiles().flatMap(({ path, sourceFile }) =>
    nodesIn(sourceFile)
      .filter((node) => ts.isNewExpression(node) || ts.isCallExpression(node))
      .filter(({ expression }) => ts.isIdentifier(expression) && expression.text === 'RegExp')
      .map((node) => ({ place: path, argument: node.arguments?.[0]?.getText(sourceFile) ?? '' })),
  )
}

function sourceFiles(): { path: string; sourceFile: ts.SourceFile }[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|js)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => !/[\\/](dist|node_modules)[\\/]/.test(path))
    .map((path) => ({
      path,
      sourceFile: ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.Latest),
    }))
}

function nodesIn(node: ts.Node): ts.Node[] {
  const nodes = [node]
  ts.forEachChild(node, (child) => void nodes.push(...nodesIn(child)))
  return nodes
}

const lineOf = (node: ts.Node, file: ts.SourceFile) => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1

function parseLiteral(text: string): Pick<RegularExpression, 'source' | 'flags'> {
  const end = text.lastIndexOf('/')
  return { source: text.slice(1, end), flags: text.slice(end + 1) }
}
