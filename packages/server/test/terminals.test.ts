import { once } from 'node:events'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startTerminal, type TerminalEnded, type TerminalSession } from '../../client/src/terminal.ts'
import { projects } from '../src/db/schema/projects.ts'
import { terminals } from '../src/db/schema/terminals.ts'
import { users } from '../src/db/schema/users.ts'
import { endAbandonedTerminals } from '../src/features/terminals/terminals.reconcile.ts'
import { createMemoryEngine, type MemoryContainerEngine } from './fakes/memory-container-engine.ts'
import { deployedSite } from './support/deployed-site.ts'
import { listen } from './support/live.ts'
import { type Client, createTestPanel, password, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let engine: MemoryContainerEngine
let url: string
let ann: Client
let bob: Client
let admin: Client
let site: string
const opened = new Set<WebSocket>()
beforeAll(async () => {
  engine = createMemoryEngine()
  panel = await createTestPanel({ TERMINALS_PER_ACCOUNT: '2', LIVE_HANDSHAKES_PER_MINUTE: '100000' }, { engine })
  url = await listen(panel)
  admin = await panel.signUp('admin')
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
  site = (await deployedSite(panel, ann, engine)).id
})
afterEach(async () => {
  for (const socket of opened) socket.terminate()
  opened.clear()
  await expect.poll(async () => (await openRows()).length).toBe(0)
})
afterAll(() => panel.close())
beforeEach(() => {
  engine.fail = undefined
  engine.terminals.clear()
})

const openRows = async () => (await panel.deps.db.select().from(terminals)).filter(({ endedAt }) => endedAt === null)
const address = (project: string) => `${url.replace('http', 'ws')}/api/projects/${project}/terminal`

function dial(headers: Record<string, string>, project = site): WebSocket {
  const socket = new WebSocket(address(project), { headers })
  socket.on('error', () => {})
  opened.add(socket)
  return socket
}

/** Status of a refused handshake. */
async function refused(headers: Record<string, string>, project = site): Promise<number | undefined> {
  const socket = dial(headers, project)
  const [, answer] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode?: number }]
  return answer.statusCode
}

interface Opened {
  socket: WebSocket
  session: TerminalSession
  output: () => string
  ready: Promise<void>
  ended: Promise<TerminalEnded>
}

function open(
  headers: Record<string, string> = { cookie: ann.cookie },
  { command, acknowledge = true }: { command?: readonly string[]; acknowledge?: boolean } = {}
): Opened {
  const socket = dial(headers)
  const pieces: Buffer[] = []
  let session: TerminalSession | undefined
  let onEnd: (ended: TerminalEnded) => void
  const ended = new Promise<TerminalEnded>((resolve) => (onEnd = resolve))
  const ready = new Promise<void>((resolve, reject) => {
    session = startTerminal(socket as Parameters<typeof startTerminal>[0], {
      columns: 80,
      rows: 24,
      command,
      onReady: resolve,
      onOutput(bytes, done) {
        pieces.push(Buffer.from(bytes))
        if (acknowledge) done()
      },
      onEnd(end) {
        onEnd(end)
        reject(new Error(`${end.reason} ${end.message ?? ''}`))
      }
    })
  })
  ready.catch(() => {})
  return { socket, session: session!, output: () => Buffer.concat(pieces).toString('latin1'), ready, ended }
}

const terminal = () => [...engine.terminals.values()].at(-1)!
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
const makeToken = async (scope: string) => {
  const answer = await ann.request('POST', '/api/auth/tokens', { name: scope, scope, expiresInDays: 1, password })
  expect(answer.statusCode).toBe(201)
  return answer.json<{ id: string; token: string }>()
}

describe('a terminal', () => {
  test('is a shell in the project’s container: input, output, size', async () => {
    const { session, output, ready } = open()
    await ready
    expect(terminal()).toMatchObject({ columns: 80, rows: 24, env: { TERM: 'xterm-256color' } })
    void session.write(bytes('ls\xff\x00\n'))
    await expect.poll(output).toBe('ls\xff\x00\n')
    session.resize(132, 50)
    await expect.poll(() => [terminal().columns, terminal().rows]).toEqual([132, 50])
  })

  test('runs another command than a shell', async () => {
    await open(undefined, { command: ['npm', 'run', 'x'] }).ready
    expect(terminal().command).toEqual(['npm', 'run', 'x'])
  })

  test('takes a paste of 1 MB and returns it whole', async () => {
    const { session, output, ready } = open()
    await ready
    const text = 'abcdefghij'.repeat(104_858)
    await session.write(bytes(text))
    await expect.poll(() => output().length, { timeout: 20_000 }).toBe(text.length)
    expect(output() === text).toBe(true)
  })

  test('sends no more than the window to a client that does not acknowledge', async () => {
    const { output, ready } = open(undefined, { acknowledge: false })
    await ready
    const { program } = terminal()
    program!.unpipe()
    for (let written = 0; written < 64; written++) program!.write(Buffer.alloc(64 * 1024, 'x'))
    await expect.poll(() => output().length).toBe(256 * 1024)
    expect(program!.writableLength).toBeGreaterThan(2 * 1024 * 1024)
  })

  test('ends with its program, and says how', async () => {
    const { ready, ended } = open()
    await ready
    terminal().exitCode = 3
    terminal().program!.end()
    expect(await ended).toEqual({ reason: 'EXITED', exitCode: 3 })
  })

  test('ends its program with the connection, and the audit log has both', async () => {
    const { socket, ready } = open()
    await ready
    socket.terminate()
    await expect.poll(() => terminal().isRunning).toBe(false)
    await expect.poll(async () => (await openRows()).length).toBe(0)
    const [closed] = await panel.audited({ action: 'terminal.closed', targetId: site })
    expect(closed).toMatchObject({ actorId: ann.user.id, metadata: { reason: 'CLOSED' } })
    expect(await panel.audited({ action: 'terminal.opened', targetId: site })).not.toEqual([])
  })
})

describe('who may open one', () => {
  test('its owner only', async () => {
    expect(await refused({})).toBe(401)
    expect(await refused({ cookie: bob.cookie })).toBe(403)
    expect(await refused({ cookie: admin.cookie })).toBe(403)
    expect(await refused({ cookie: ann.cookie }, 'c'.repeat(25))).toBe(404)
  })

  test('no page of another site', async () => {
    expect(await refused({ cookie: ann.cookie, origin: 'https://evil.example' })).toBe(403)
  })

  test('a token with the scope full', async () => {
    expect(await refused({ authorization: `Bearer ${(await makeToken('deploy')).token}` })).toBe(403)
    await open({ authorization: `Bearer ${(await makeToken('full')).token}` }).ready
  })

  test('other requests get the limits', async () => {
    const answer = await ann.request('GET', `/api/projects/${site}/terminal`)
    expect(answer.json()).toMatchObject({ maximum: 2, maxSeconds: 28_800 })
  })

  test('so many of an account at a time', async () => {
    await Promise.all([open().ready, open().ready])
    expect(await open().ended).toMatchObject({ reason: 'FAILED', code: 'RATE_LIMITED' })
  })
})

describe('ends', () => {
  const isOver = async ({ ready, ended }: Opened, end: () => Promise<unknown>, reason: string) => {
    await ready
    await end()
    expect(await ended).toMatchObject({ reason })
    await expect.poll(() => terminal().isRunning).toBe(false)
  }

  test('at sign-out', async () => {
    const session = await panel.signIn(ann.user.email)
    await isOver(open({ cookie: session.cookie }), () => session.request('POST', '/api/auth/logout'), 'ACCESS_ENDED')
  })

  test('with its token', async () => {
    const { id, token } = await makeToken('full')
    const revoke = () => ann.request('DELETE', `/api/auth/tokens/${id}`)
    await isOver(open({ authorization: `Bearer ${token}` }), revoke, 'ACCESS_ENDED')
  })

  test('when the role changes', async () => {
    const change = async (role: 'RESELLER' | 'USER') => {
      const { db, events } = panel.deps
      await db.transaction(async (trx) => {
        await trx.update(users).set({ role }).where(eq(users.id, ann.user.id))
        await events.publish(trx, { to: 'processes', name: 'access:changed', data: { userId: ann.user.id } })
      })
    }
    await isOver(open(), () => change('RESELLER'), 'ACCESS_ENDED')
    await change('USER')
  })

  test('without input and output for the idle limit', async () => {
    await admin.request('PUT', '/api/system/settings', { variables: { TERMINAL_IDLE_SECONDS: 1 } })
    await isOver(open(), async () => {}, 'IDLE')
    await admin.request('PUT', '/api/system/settings', { variables: { TERMINAL_IDLE_SECONDS: null } })
  })

  test('when a client sends more than its window', async () => {
    const one = open()
    await isOver(
      one,
      async () => {
        terminal().program!.unpipe()
        for (let sent = 0; sent < 40; sent++) one.socket.send(new Uint8Array(64 * 1024))
      },
      'PROTOCOL'
    )
  })

  test('after the panel was killed', async () => {
    const { ready } = open()
    await ready
    expect(await endAbandonedTerminals(panel.deps)).toBe('again')
    expect(terminal().isRunning).toBe(true)
    await endAbandonedTerminals(panel.deps, new Date(Date.now() + 1000))
    expect(terminal().isRunning).toBe(false)
  })

  test('when its engine does not respond any more, and its processes once it does', async () => {
    const { ready, ended } = open()
    await ready
    engine.fail = 'unreachable'
    terminal().program!.end()
    expect(await ended).toEqual({ reason: 'CONTAINER_STOPPED' })
    expect((await ann.request('GET', `/api/projects/${site}/terminal`)).json()).toMatchObject({ open: 0 })
    expect(await endAbandonedTerminals(panel.deps)).toBe('again')
    expect(terminal().isRunning).toBe(true)
    engine.fail = undefined
    expect(await endAbandonedTerminals(panel.deps)).toBe('done')
    expect(terminal().isRunning).toBe(false)
  })
})

describe('says why it could not be opened', () => {
  test('an engine that does not answer', async () => {
    engine.fail = 'unreachable'
    expect(await open().ended).toMatchObject({ reason: 'FAILED', code: 'CONTAINER_ENGINE_UNAVAILABLE' })
    engine.fail = undefined
    await endAbandonedTerminals(panel.deps, new Date(Date.now() + 1000))
  })

  test('a stopped project', async () => {
    const set = (status: 'ACTIVE' | 'STOPPED') =>
      panel.deps.db.update(projects).set({ status }).where(eq(projects.id, site))
    await set('STOPPED')
    expect(await open().ended).toMatchObject({ reason: 'FAILED', code: 'CONFLICT' })
    await set('ACTIVE')
  })
})
