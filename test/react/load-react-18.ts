// Runs the tests of the project `react-18` with React 18.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

// Every import of React resolves to version 18 from here on, also inside packages such as @testing-library/react.
for (const name of [
  'react',
  'react/jsx-runtime',
  'react/jsx-dev-runtime',
  'react-dom',
  'react-dom/client',
  'react-dom/server',
]) {
  const react18Name = name.replace(/^react(-dom)?/, '$&-18')
  require(react18Name)
  require.cache[require.resolve(name)] = require.cache[require.resolve(react18Name)]
}
