import { gzipSync } from 'node:zlib'
import { join } from 'node:path'
import { build } from 'rolldown'
import { expect, it } from 'vitest'

const MAX_BYTES = 2_500

it('takes no more than 2.5 kB of what a browser loads, with everything it exports', async () => {
  const { output } = await build({
    input: join(import.meta.dirname, '../../src/query/index.ts'),
    write: false,
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts'] } },
    output: { format: 'esm', minify: true },
  })
  expect(output).toHaveLength(1)
  expect(gzipSync(output[0].code, { level: 9 }).length).toBeLessThanOrEqual(MAX_BYTES)
})
