// Covers what editors show of each prop and option while code is written: a sentence, its default, an example.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '../../src')

/** The interfaces whose members people write, by file. */
const INTERFACES: Readonly<Record<string, readonly string[]>> = {
  'query/page-query.ts': ['PageQuery', 'OverlayOptions', 'ViewportOptions', 'VariantOptions', 'ScreenshotOptions'],
  'client/request.ts': ['ClientOptions'],
  'client/signed-url.ts': ['SignedUrlOptions'],
  'embed/element/index.ts': ['PreviewOptions'],
  'react/hover-preview.tsx': ['HoverPreviewProps'],
  'react/page-preview-provider.tsx': ['PagePreviewProviderProps'],
  'react/page-screenshot.tsx': ['PageScreenshotOptions'],
  'react/props.ts': ['ServerOptions', 'SourceOptions', 'PreviewOptions', 'PagePreviewProps'],
}

interface Member {
  name: string
  /** The text before the first tag. */
  text: string
  tags: string[]
}

describe.each(Object.entries(INTERFACES))('in %s', (file, names) => {
  const members = names.flatMap((name) => membersOf(file, name))

  it.each(members.map((member): [string, Member] => [member.name, member]))(
    'an editor shows what %s is, with an example',
    (name, { text, tags }) => {
      expect(text).toMatch(/^[A-Z`"].*\.$/s)
      expect(tags.filter((tag) => tag.startsWith('example '))).toEqual([
        expect.stringMatching(new RegExp(`^example ${name.replace(/.*\./, '')}: \\S`)),
      ])
    },
  )
})

/** The documented members of an interface that a file declares, at any depth of its literals. */
function membersOf(file: string, name: string): Member[] {
  const source = ts.createSourceFile(file, readFileSync(join(SOURCE, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const declaration = source.statements.find(
    (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  )
  if (!declaration || !ts.isInterfaceDeclaration(declaration)) throw new Error(`${file} does not declare ${name}.`)
  return declaration.members.filter(ts.isPropertySignature).map((member) => ({
    name: `${name}.${member.name.getText()}`,
    text: ts
      .getJSDocCommentsAndTags(member)
      .filter(ts.isJSDoc)
      .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
      .join('\n'),
    tags: ts
      .getJSDocTags(member)
      .map(({ tagName, comment }) => `${tagName.text} ${ts.getTextOfJSDocComment(comment) ?? ''}`),
  }))
}
