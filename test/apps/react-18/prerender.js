// Inserts the HTML of the app into the output of `vite build`.
import { readFileSync, writeFileSync } from 'node:fs'
import { prerender } from './dist-server/prerender.js'

const page = new URL('dist/index.html', import.meta.url)
writeFileSync(page, readFileSync(page, 'utf8').replace('<!--app-->', prerender()))
