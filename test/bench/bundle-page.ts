import { join } from 'node:path'
import { build } from 'rolldown'

const ENTRY = join(import.meta.dirname, '../../bench-page.jsx')

/**
 * Bundles the script of a page with React for production.
 *
 * @param code  JSX; its imports start at the root of the project.
 * @returns     Name and text of each file; the first one is `page.js`.
 */
export async function bundlePage(code: string): Promise<[name: string, text: string][]> {
  const { output } = await build({
    input: { page: ENTRY },
    write: false,
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? id : null),
        load: (id) => (id === ENTRY ? { code, moduleType: 'jsx' } : null),
      },
    ],
    transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: 'react-jsx' },
    output: { format: 'esm', minify: true },
  })
  return output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : String(file.source)])
}
