import { expect, test } from 'vitest'
import { engineEnvironment, engineSettings } from './container-engine.ts'

test('the engine’s environment contains none of our secrets', () => {
  const env = {
    ...{ PATH: '/bin', HTTPS_PROXY: 'http://proxy:3128', no_proxy: 'localhost', HTTP_PROXY: '' },
    ...{ SESSION_SECRET: 'a', ENCRYPTION_KEY: 'b', DATABASE_URL: 'c', REDIS_URL: 'd', DOCKER_HOST: 'e', HOME: '/root' }
  }
  expect(engineEnvironment(env)).toEqual({ PATH: '/bin', HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'localhost' })
})

test.each([
  ['', { 'live-restore': true, hosts: ['unix:///run/a.sock'] }],
  ['{"live-restore": false, "debug": true}', { debug: true, 'live-restore': false, hosts: ['unix:///run/a.sock'] }],
  [
    '{"hosts": ["tcp://127.0.0.1:2375", "unix:///run/a.sock"]}',
    { 'live-restore': true, hosts: ['unix:///run/a.sock', 'tcp://127.0.0.1:2375'] }
  ]
])('the engine keeps the administrator’s settings %s', (text, settings) => {
  expect(engineSettings(text, '/run/a.sock')).toEqual(settings)
})

test.each(['{', '[]', 'null', '"a"'])('settings that are not an object (%s) are refused', (text) => {
  expect(() => engineSettings(text, '/run/a.sock')).toThrow('/etc/docker/daemon.json')
})
