import { build } from 'rolldown'
import { gzipSync } from 'node:zlib'
const { output } = await build({ input: process.argv[2], write: false, platform: 'browser', resolve: { extensionAlias: { '.js': ['.ts'] } }, output: { format: 'esm', minify: true } })
console.log(gzipSync(output[0].code, { level: 9 }).length)
