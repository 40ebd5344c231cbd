// Child processes and workers of the source start from TypeScript files, which not every supported Node can run.
import { register } from 'node:module'

register('./typescript-hooks.js', import.meta.url)
