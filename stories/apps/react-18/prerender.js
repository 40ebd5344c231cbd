// What `vite build` made, with the app's own HTML in it.
import { readFileSync, writeFileSync } from 'node:fs'
import { prerender } from './dist-server/prerender.js'

const page = new URL('dist/index.html', import.meta.url)
writeFileSync(page, readFileSync(page, 'utf8').replace('<!--app-->', prerender()))
