import { expect, test } from 'vitest'
import { engineEnvironment } from './container-engine.ts'

test('the engine’s environment contains none of our secrets', () => {
  const env = {
    ...{ PATH: '/bin', HTTPS_PROXY: 'http://proxy:3128', no_proxy: 'localhost', HTTP_PROXY: '' },
    ...{ SESSION_SECRET: 'a', ENCRYPTION_KEY: 'b', DATABASE_URL: 'c', REDIS_URL: 'd', DOCKER_HOST: 'e', HOME: '/root' }
  }
  expect(engineEnvironment(env)).toEqual({ PATH: '/bin', HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'localhost' })
})
