import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, type FormatConfig } from 'oxfmt'
import ts from 'typescript'
import { compilerOptions, packagePaths } from './compile-blocks.js'
import { root } from './read-docs.js'
import { customProperties, documentedClasses } from './stylesheet.js'

/** Entries in the order of the page, with what each is for; other entries have no names to import, or are for one framework. */
const ENTRIES: Readonly<Record<string, string>> = {
  'page-preview': 'Components, hooks and options for react-query.',
  'page-preview/parts': 'The parts that `PagePreview` is made of, for a card of your own: see [parts](./parts.mdx).',
  'page-preview/messages': 'The texts of a card in seven languages, for `messages` of `PagePreviewProvider`.',
  'page-preview/testing': 'A service for tests and stories: see [testing](./testing.mdx).',
  'page-preview/client': 'Requests without React, in browsers, Node, Workers and Deno.',
  'page-preview/batch': 'Previews in lists: see [many at once](./chat-and-feeds.mdx#many-at-once).',
  'page-preview/proxy': 'The service at a path of your own site: see [proxy](./proxy.mdx).',
  'page-preview/query': 'The query language, and what the service responds with.',
  'page-preview/element':
    'Types of the custom element and of `window.PagePreview`: see [script tag](./script-tag.mdx).',
  'page-preview-server':
    'The service in a program of your own: see [the service as a function](./hosting/in-process.mdx).',
  'page-preview-server/freeze':
    'Static sites in a build script of your own: see [static sites](./static-sites.mdx#your-own-build-script).',
}

/** What the sections of the page share. */
interface Reference {
  checker: ts.TypeChecker
  /** Names that have a section, or whose members are in the section of another. */
  described: Set<ts.Symbol>
  /** The props of the card, by their declarations. */
  baseProps: Set<ts.Declaration>
}

/** Types with a page of their own: the table of parameters is there. */
const DESCRIBED_ELSEWHERE: Readonly<Record<string, string>> = {
  PageQuery: '[Parameters](./parameters.mdx) lists its fields.',
  ScreenshotOptions: '[Parameters](./parameters.mdx) lists its fields, as `screenshot.NAME`.',
  errorCodes: '[Errors](./errors.mdx) explains each code.',
  fields: '[Parameters](./parameters.mdx) lists them.',
}

/** The component that the others share most props with. */
const BASE = 'PagePreview'

/** Writes the page of every name that can be imported, and of every class and custom property, from the sources. */
export async function writeReference(): Promise<string> {
  const paths = packagePaths()
  const entries = Object.keys(ENTRIES).filter((entry) => entry in paths)
  const program = ts.createProgram(
    entries.map((entry) => paths[entry]![0]!),
    compilerOptions(),
  )
  const state: Reference = { checker: program.getTypeChecker(), described: new Set(), baseProps: new Set() }
  const sections = entries.map((entry) => entrySection(entry, program.getSourceFile(paths[entry]![0]!)!, state))
  const contents = [...entries.map((entry) => [`\`${entry}\``, slugOf(entry)]), ['CSS', 'css']]
  const text = [
    '# Reference',
    'Every name that can be imported, with its props, options and fields, and every class and custom property. This page is written from the types and from the stylesheet: `npm run reference`.',
    contents.map(([name, slug]) => `- [${name}](#${slug})`).join('\n'),
    ...sections,
    cssSection(),
  ].join('\n\n')
  const options = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')) as FormatConfig
  return (await format('reference.mdx', `${text}\n`, options)).code
}

const slugOf = (heading: string) => heading.toLowerCase().replaceAll(/[^\w-]/g, '')

function entrySection(entry: string, source: ts.SourceFile, reference: Reference): string {
  const { checker, described } = reference
  const names = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source)!)
    .map((exported) => ({ name: exported.name, symbol: originalOf(exported, checker) }))
  const isValue = ({ symbol }: { symbol: ts.Symbol }) => Boolean(symbol.flags & ts.SymbolFlags.Value)
  const ranked = names.toSorted((a, b) => rankOf(a.name) - rankOf(b.name))
  const sections = [...ranked.filter(isValue), ...ranked.filter((each) => !isValue(each))].flatMap(
    ({ name, symbol }) => {
      if (described.has(symbol)) return []
      described.add(symbol)
      return [{ name, text: nameSection(name, symbol, reference) }]
    },
  )
  const bare = sections.filter(({ text }) => text.length === 0).map(({ name }) => code(name))
  return [
    `## ${entry}`,
    ENTRIES[entry],
    ...(bare.length > 0 ? [`Also exports ${bare.join(', ')}.`] : []),
    ...sections.flatMap(({ name, text }) => (text.length > 0 ? [`### ${name}`, ...text] : [])),
  ].join('\n\n')
}

/** The card comes first, because other components share its props; then components, then the rest as exported. */
const rankOf = (name: string) => (name === BASE ? 0 : /^[A-Z]/.test(name) ? 1 : 2)

const originalOf = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

function nameSection(name: string, symbol: ts.Symbol, reference: Reference): string[] {
  const { checker } = reference
  const declaration = symbol.declarations?.[0]
  if (!declaration) return []
  const sentences = [descriptionOf(symbol, checker), DESCRIBED_ELSEWHERE[name] ?? ''].filter(Boolean)
  if (name in DESCRIBED_ELSEWHERE) return sentences
  if (ts.isSourceFile(declaration)) return [...sentences, ...namespaceTable(symbol, checker)]
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration)
  const call = symbol.flags & ts.SymbolFlags.Value ? type.getCallSignatures()[0] : undefined
  const examples = tagsOf(symbol, 'example', checker).map((code) => `\`\`\`tsx\n${code.trim()}\n\`\`\``)
  if (call && /^[A-Z]/.test(name)) return [...sentences, ...examples, ...propsTable(name, call, declaration, reference)]
  if (call)
    return [...sentences, signatureBlock(name, call, declaration, checker), ...callNotes(symbol, checker), ...examples]
  if (symbol.flags & ts.SymbolFlags.Interface || symbol.flags & ts.SymbolFlags.Class)
    return [...sentences, ...examples, ...memberTable(checker.getDeclaredTypeOfSymbol(symbol), 'field', checker)]
  if (ts.isTypeAliasDeclaration(declaration))
    return [...sentences, `\`\`\`ts\n${declaration.getText().replace(/^export /, '')}\n\`\`\``]
  return [...sentences, ...examples]
}

function signatureBlock(name: string, call: ts.Signature, at: ts.Node, checker: ts.TypeChecker): string {
  return `\`\`\`ts\nfunction ${name}${checker.signatureToString(call, at, ts.TypeFormatFlags.NoTruncation)}\n\`\`\``
}

/** What a function takes, returns and throws, as far as it is documented. */
function callNotes(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const notes = [
    ...tagsOf(symbol, 'param', checker).map((text) => text.replace(/^(\w+)\s+/, '`$1`: ')),
    ...tagsOf(symbol, 'returns', checker).map((text) => `Returns: ${text}`),
    ...tagsOf(symbol, 'throws', checker).map(
      (text) => `Throws ${text.replace(/^\{(\w+)\}\s*/, '`$1`: ').replace(/^When\b/, 'when')}`,
    ),
  ]
  return notes.length > 0 ? [notes.map((note) => `- ${prose(note)}`).join('\n')] : []
}

function propsTable(name: string, call: ts.Signature, at: ts.Node, reference: Reference): string[] {
  const { checker, described, baseProps } = reference
  const [parameter] = call.parameters
  if (!parameter) return []
  const type = checker.getTypeOfSymbolAtLocation(parameter, at)
  const named = type.aliasSymbol ?? type.symbol
  if (named) described.add(named)
  const table = memberTable(type, 'prop', checker, baseProps)
  if (name === BASE)
    for (const member of checker.getPropertiesOfType(type).filter(isOurs)) baseProps.add(member.declarations![0]!)
  return table
}

function memberTable(
  type: ts.Type,
  head: 'prop' | 'field',
  checker: ts.TypeChecker,
  baseProps: ReadonlySet<ts.Declaration> = new Set(),
): string[] {
  const members = checker.getPropertiesOfType(type)
  const ours = members.filter(isOurs)
  const shared = head === 'prop' ? ours.filter((member) => baseProps.has(member.declarations![0]!)) : []
  const own = ours.filter((member) => !shared.includes(member))
  const sharedNames = shared.map(({ name }) => code(name)).toSorted()
  const notes = [
    ...(sharedNames.length === 0
      ? []
      : sharedNames.length === baseProps.size
        ? [`And every prop of ${code(BASE)}.`]
        : [`And these props of ${code(BASE)}: ${sharedNames.join(', ')}.`]),
    ...(head === 'prop' && ours.length < members.length ? ['And every attribute of its element.'] : []),
  ]
  if (own.length === 0) return notes
  const required = own.filter((member) => !(member.flags & ts.SymbolFlags.Optional))
  const isMostlyRequired = required.length * 2 > own.length
  const rows = own.map((member) => {
    const isOptional = Boolean(member.flags & ts.SymbolFlags.Optional)
    const [fallback = ''] = tagsOf(member, 'default', checker)
    const note = isOptional === isMostlyRequired ? (isOptional ? '?' : ' (required)') : ''
    return [
      `\`${member.name}\`${note === '?' ? ', optional' : note}`,
      code(typeTextOf(member, checker)),
      fallback && code(fallback),
      descriptionOf(member, checker),
    ]
  })
  return [tableOf(head, rows), ...notes]
}

function tableOf(head: string, rows: string[][]): string {
  const hasDefaults = rows.some(([, , fallback]) => fallback)
  const columns = hasDefaults ? [head, 'type', 'default', 'meaning'] : [head, 'type', 'meaning']
  const kept = hasDefaults ? rows : rows.map(([name, type, , meaning]) => [name, type, meaning])
  return markdownTable(columns, kept as string[][])
}

function namespaceTable(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const rows = checker.getExportsOfModule(symbol).flatMap((exported) => {
    const original = originalOf(exported, checker)
    if (!(original.flags & ts.SymbolFlags.Value)) return []
    return [[code(exported.name), descriptionOf(original, checker)]]
  })
  return [markdownTable(['part', 'what it is'], rows)]
}

/** What the library declares itself for others: no attribute of React's types, and no private field. */
const isOurs = (symbol: ts.Symbol) =>
  (symbol.declarations ?? []).some((declaration) => {
    const name = ts.getNameOfDeclaration(declaration)
    const isPrivate = name !== undefined && ts.isPrivateIdentifier(name)
    return !isPrivate && !declaration.getSourceFile().fileName.includes('node_modules')
  })

/** A type as its author wrote it, without the `undefined` of an optional member. */
function typeTextOf(member: ts.Symbol, checker: ts.TypeChecker): string {
  const declaration = member.declarations?.[0]
  const text =
    declaration && (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration)) && declaration.type
      ? declaration.type.getText()
      : declaration && ts.isMethodSignature(declaration)
        ? declaration.getText().slice(declaration.name.getText().length)
        : checker.typeToString(checker.getTypeOfSymbol(member), undefined, ts.TypeFormatFlags.NoTruncation)
  return text
    .replace(/ \| undefined$/, '')
    .replace(/^\((.+)\)$/s, '$1')
    .replaceAll(/\s+/g, ' ')
}

const descriptionOf = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  prose(ts.displayPartsToString(symbol.getDocumentationComment(checker)))

const tagsOf = (symbol: ts.Symbol, name: string, checker: ts.TypeChecker) =>
  symbol
    .getJsDocTags(checker)
    .filter((tag) => tag.name === name)
    .map((tag) => ts.displayPartsToString(tag.text))

/** A comment as Markdown that is MDX too: outside of code, `<` and braces would be JSX. */
const prose = (comment: string) =>
  comment
    // Paragraphs and the items of a list stay apart.
    .replaceAll(/(?<!\n)\n(?!\n|- )/g, ' ')
    .split(/(`[^`]*`)/)
    .map((text) => (text.startsWith('`') ? text : text.replaceAll(/[<{}]/g, String.raw`\$&`)))
    .join('')

const code = (text: string) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', String.raw`\|`).replaceAll(/\n+/g, ' ')).join(' | ')} |`)
    .join('\n')

function cssSection(): string {
  return [
    '## CSS',
    'All rules are in the layer `page-preview` and have no specificity, so any rule of yours that is outside of a layer wins.',
    '### Custom properties',
    'Set them on a preview or on anything above it. Lengths need a unit: `0px`, not `0`.',
    markdownTable(
      ['property', 'default', 'meaning'],
      customProperties().map(({ name, fallback, meaning }) => [code(name), code(fallback), meaning]),
    ),
    '### Classes',
    markdownTable(
      ['class', 'what it is'],
      [...documentedClasses()].map(([name, meaning]) => [code(`.${name}`), meaning]),
    ),
  ].join('\n\n')
}
