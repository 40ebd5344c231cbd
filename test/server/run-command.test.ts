// Covers the environment of child processes.
import { expect, it } from 'vitest'
import { childEnvironment, npmEnvironment } from '../../src/server/child-processes.js'

const env = {
  PATH: '/bin',
  LANG: 'C',
  LC_ALL: 'C',
  AWS_SECRET_ACCESS_KEY: 'secret',
  PAGE_PREVIEW_S3: 's3://key:secret@bucket',
  NODE_OPTIONS: '--inspect',
  https_proxy: 'http://proxy',
  npm_config_registry: 'http://registry',
}

it('passes on only the variables that a browser needs', () => {
  expect(childEnvironment(env)).toEqual({ PATH: '/bin', LANG: 'C', LC_ALL: 'C' })
})

it('lets npm reach its registry', () => {
  expect(npmEnvironment(env)).toEqual({
    ...childEnvironment(env),
    https_proxy: env.https_proxy,
    npm_config_registry: env.npm_config_registry,
  })
})
