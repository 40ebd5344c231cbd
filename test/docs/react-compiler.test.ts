// Covers the components in README.md and stories/docs: they keep the rules of React that its lint plugin and its compiler check.
import { transformAsync } from '@babel/core'
import reactCompiler from 'babel-plugin-react-compiler'
import { ESLint } from 'eslint'
import reactHooks from 'eslint-plugin-react-hooks'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { readDocs } from './read-docs.js'

const blocks = readDocs()
  // The code of the reference is taken from the sources.
  .flatMap((page) => (page.path.endsWith('/reference.mdx') ? [] : page.blocks))
  .filter(({ language }) => language === 'tsx' || language === 'jsx')
  .map(({ name, code }): [string, string] => [name, withoutTypes(code)])

const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: [
    reactHooks.configs.flat['recommended-latest'],
    { languageOptions: { parserOptions: { ecmaFeatures: { jsx: true } } } },
  ],
})

const OWN_CARD = (hook: string, ref: string) => `
import { usePagePreview } from 'page-preview'
export function Title({ url }) {
  const ${hook} = usePagePreview({ url })
  if (preview.status === 'failed') return <button ref={${ref}} onClick={preview.refresh}>{preview.error.message}</button>
  return <a ref={${ref}} href={preview.displayUrl.href}>{preview.page?.title ?? 'Loading'}</a>
}`

it.each(blocks)('keeps the rules of hooks and of the React Compiler at %s', async (_, code) => {
  expect(await brokenRules(code)).toEqual([])
  await compile(code)
})

it('lets a custom card read the state that stands beside the ref', async () => {
  const code = OWN_CARD('[ref, preview]', 'ref')
  expect(await brokenRules(code)).toEqual([])
  expect(await compile(code)).toContain('react/compiler-runtime')
})

it('would notice state that is read from an object with a ref', async () => {
  const code = OWN_CARD('preview', 'preview.ref')
  expect(await brokenRules(code)).toContain('react-hooks/refs')
  await expect(compile(code)).rejects.toThrow('Cannot access refs during render')
})

async function brokenRules(code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code)
  return result!.messages.map(({ ruleId, message }) => ruleId ?? message)
}

/** Throws if the compiler would leave a component as it is. */
async function compile(code: string): Promise<string> {
  const result = await transformAsync(code, {
    filename: 'block.jsx',
    babelrc: false,
    configFile: false,
    parserOpts: { plugins: ['jsx'] },
    plugins: [[reactCompiler, { panicThreshold: 'all_errors' }]],
  })
  return result?.code ?? ''
}

/** ESLint and Babel would each need their own parser for TypeScript. */
function withoutTypes(code: string): string {
  const { ESNext } = ts.ScriptTarget
  return ts.transpileModule(code, {
    fileName: 'block.tsx',
    compilerOptions: { jsx: ts.JsxEmit.Preserve, target: ESNext, module: ts.ModuleKind.ESNext },
  }).outputText
}
