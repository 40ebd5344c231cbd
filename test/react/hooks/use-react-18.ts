import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

// Whoever asks for React from here on gets version 18, packages that were installed beside another one too.
for (const name of [
  'react',
  'react/jsx-runtime',
  'react/jsx-dev-runtime',
  'react-dom',
  'react-dom/client',
  'react-dom/server',
]) {
  const older = name.replace(/^react(-dom)?/, '$&-18')
  require(older)
  require.cache[require.resolve(name)] = require.cache[require.resolve(older)]
}
