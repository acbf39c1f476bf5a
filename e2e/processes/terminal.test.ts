import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { TerminalSession } from '@panel/client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Client, Site } from '../support/panel.ts'
import { removeProjects, sharedWorld, type World } from '../support/shared-world.ts'
import { nodeSite } from '../support/sites.ts'
import { hasStarted, isGone, isRunning, openTerminal, sleeper } from '../support/terminal.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

let world: World
let user: Client
let site: Site
const opened: TerminalSession[] = []
beforeAll(async () => {
  world = await sharedWorld()
  user = await world.panel.signUp()
  site = await user.createSite(world.git, nodeSite('terminal'), { type: 'NODEJS' })
  await user.mustRun(site.id)
})
afterAll(() => removeProjects(user))
afterEach(() => {
  for (const session of opened.splice(0)) session.close()
})

async function open(by: Pick<Client, 'cookie'> = user) {
  const terminal = await openTerminal(world.panel, by, site.id)
  opened.push(terminal.session)
  return terminal
}

test('commands, size and a paste of 1 MB', async () => {
  const { session, ended, type, sees } = await open()
  await type('while [ "$(stty size)" = "0 0" ]; do sleep 0.1; done; stty size; id -u\n')
  await sees(/\b30 100\r\n\d{5,}\r\n/)
  session.resize(132, 40)
  await type('while [ "$(stty size)" != "40 132" ]; do sleep 0.1; done; echo resized""!\n')
  await sees(/resized!/)
  const paste = randomBytes(1024 * 1024)
  await type('stty raw -echo; echo read""y; head -c 1048576 | sha256sum; stty sane\n')
  await sees(/ready/)
  await session.write(new Uint8Array(paste))
  await sees(new RegExp(createHash('sha256').update(paste).digest('hex')))
  await type('exit 3\n')
  expect(await ended).toEqual({ reason: 'EXITED', exitCode: 3 })
})

test('its processes end at sign-out, also those in the background and those that ignore SIGHUP', async () => {
  const { email } = await user.call<{ email: string }>('GET', '/auth/me')
  const post = (path: string, cookie: string, body = {}) => fetch(`${world.panel.url}/api/auth/${path}`, { method: 'POST', headers: { cookie, 'content-type': 'application/json' }, body: JSON.stringify(body) }) // oxfmt-ignore
  const signedIn = await post('login', '', { email, password: 'correct horse battery' })
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  const { ended, type } = await open({ cookie })
  const [front, background] = [sleeper(), sleeper()]
  await type(`(trap '' HUP; exec ${background}) &\n${front}\n`)
  for (const line of [front, background]) await hasStarted(line)
  expect((await post('logout', cookie)).status).toBe(200)
  expect(await ended).toMatchObject({ reason: 'ACCESS_ENDED' })
  await isGone(front)
  await isGone(background)
})

test('its processes end after kill -9 of the panel', async () => {
  const { type } = await open()
  const line = sleeper()
  await type(`${line}\n`)
  await hasStarted(line)
  await world.panel.kill()
  expect(await isRunning(line)).toBe(true)
  await world.panel.start()
  await isGone(line)
  await (await open()).type('true\n')
})

test('panel run -it runs a command in the container, with its exit status', async () => {
  const { token } = await user.call<{ token: string }>('POST', '/auth/tokens', {
    name: 'terminal',
    scope: 'full',
    expiresInDays: 1,
    password: 'correct horse battery'
  })
  const child = spawn(
    `${root}panel`,
    [
      'cli',
      'run',
      '-it',
      site.id,
      '--',
      'sh',
      '-c',
      'while [ "$(stty size)" = "0 0" ]; do sleep 0.1; done; stty size; exit 5'
    ],
    {
      env: { ...process.env, PANEL_URL: world.panel.url, PANEL_TOKEN: token },
      stdio: ['pipe', 'pipe', 'pipe']
    }
  )
  let output = ''
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()))
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(output).toContain('24 80')
  expect(code, output).toBe(5)
})
