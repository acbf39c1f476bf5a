import { randomBytes } from 'node:crypto'
import { access } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client, Site } from '../support/panel.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'
import { builtNodeSite, nodeSite } from '../support/sites.ts'

let world: World
let user: Client
beforeAll(async () => {
  world = await sharedWorld()
  user = await world.panel.signUp()
})
afterAll(() => removeProjects(user))

type Values = Record<string, string>

const setAll = (site: Site, values: Values) =>
  user.call('POST', `/projects/${site.id}/env`, {
    variables: Object.entries(values).map(([key, value]) => ({ key, value }))
  })
const pageOf = async (site: Site, path: string) =>
  JSON.parse((await world.panel.visit(site.hostname, path)).body) as Values
const pick = (from: Values, keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, from[key]]))

const everyCharacter = Array.from({ length: 0xd7ff }, (_, code) => String.fromCharCode(code + 1)).join('')
const pieces = everyCharacter.match(/[^]{1,20000}/g)!

const values: Values = {
  SINGLE: "it's",
  DOUBLE: 'say "hi"',
  BACKTICK: '`id`',
  DOLLAR: '$HOME ${HOME} $$ $(id) ${X:-y} \\$HOME',
  HASH: 'a#b # c',
  NEWLINES: 'first\nsecond\n\nfourth\n',
  ONLY_NEWLINE: '\n',
  RETURN: 'a\r\nb\rc',
  TABS: '\ta\t',
  BACKSLASHES: '\\n \\\\ \\',
  UNICODE: 'Grüße, 世界, \u202e, e\u0301 é',
  EMOJI: '👩‍👩‍👧‍👦 🏴‍☠️',
  EMPTY: '',
  SPACES: '  both sides  ',
  EQUALS: '=a=b==',
  JSON: '{"a": [1, "two", null]}',
  PERCENT: '%s %d %%',
  YAML: 'x"\n    privileged: true',
  PEM: `-----BEGIN KEY-----\n${randomBytes(300).toString('base64').replace(/.{64}/g, '$&\n')}\n-----END KEY-----\n`,
  CONTROL: '\u0001\u001b[31m\u007f\u0085\u2028\ufeff',
  LARGE: 'x'.repeat(64 * 1024),
  LARGE_UNICODE: 'ü'.repeat(32 * 1024),
  __proto__x: 'not a prototype',
  _: 'underscore',
  lower_case9: 'lower',
  ...Object.fromEntries(pieces.map((piece, index) => [`EVERY_${index}`, piece]))
}
// Shells set it before each command.
const ofTheShell = ['_']
const keys = Object.keys(values).filter((key) => !ofTheShell.includes(key))

test('every value is passed unchanged to build and container, up to the maximum', async () => {
  const keep = `node -e "require('fs').writeFileSync('built.json', JSON.stringify(process.env))"`
  const site = await user.createSite(world.git, builtNodeSite('env', keep))
  await setAll(site, values)
  const large = 'x'.repeat(64 * 1024)
  const bytes = Object.values(values).reduce((sum, value) => sum + Buffer.byteLength(value), 0)
  const count = Math.floor((2 ** 20 - bytes) / large.length)
  await setAll(site, Object.fromEntries(Array.from({ length: count }, (_, n) => [`BIG_${n}`, large])))
  const more = { key: 'MORE', value: large }
  expect(await user.request('POST', `/projects/${site.id}/env`, more)).toMatchObject({ status: 400 })
  await user.mustRun(site.id)
  const [run, built] = [await pageOf(site, '/env'), await pageOf(site, '/built')]
  for (const env of [run, built]) expect(pick(env, keys)).toEqual(pick(values, keys))
  expect(run[`BIG_${count - 1}`]).toBe(large)
})

test('variables with special meaning do no harm on the host and reach the container; PORT sets its port', async () => {
  const marker = `/tmp/pwned-${randomBytes(6).toString('hex')}`
  const hostile: Values = {
    LD_PRELOAD: '/tmp/evil.so',
    LD_LIBRARY_PATH: '/tmp',
    DOCKER_HOST: 'tcp://127.0.0.1:1',
    NODE_OPTIONS: '--max-old-space-size=64',
    GIT_SSH_COMMAND: `touch ${marker}`,
    GIT_EXTERNAL_DIFF: `touch ${marker}`,
    BASH_ENV: `$(touch ${marker})`,
    ENV: `$(touch ${marker})`,
    PROMPT_COMMAND: `touch ${marker}`,
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    SESSION_SECRET: 'short',
    DATA_DIR: '/nonexistent',
    HTTP_PROXY: 'http://127.0.0.1:1',
    npm_config_loglevel: 'silent'
  }
  const site = await user.createSite(world.git, nodeSite('hostile'))
  await setAll(site, { ...hostile, PORT: '4321' })
  await user.mustRun(site.id)
  const reached = Object.keys(hostile).filter((key) => key !== 'npm_config_loglevel')
  expect(pick(await pageOf(site, '/env'), [...reached, 'PORT'])).toEqual({ ...pick(hostile, reached), PORT: '4321' })
  await expect(access(marker)).rejects.toThrow('ENOENT')
  await setAll(site, { PORT: '0; reboot' })
  await user.call('POST', `/projects/${site.id}/deploy`)
  expect((await pageOf(site, '/env')).PORT).toBe('3000')
})
