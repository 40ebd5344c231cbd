import { build } from 'rolldown'
import { gzipSync } from 'node:zlib'
const r = await build({
  input: process.argv[2],
  write: false,
  platform: 'browser',
  external: [/^react/, /^@tanstack/, /^preact/],
  resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
  output: { format: 'esm', minify: true },
})
for (const o of r.output)
  if (o.code) {
    console.log(o.fileName, o.code.length, gzipSync(o.code, { level: 9 }).length)
    if (process.argv[3]) console.log(o.code)
  }
