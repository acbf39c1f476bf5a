import { join } from 'node:path'
import { createServer as createPlainServer } from 'node:net'
import { createInterface } from 'node:readline'
import { createServer, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIsolatedCopier } from '../../packages/server/src/infra/mailbox-copier/isolated-copier.ts'
import type {
  CopyEvent,
  CopyTask,
  FolderPosition
} from '../../packages/server/src/infra/mailbox-copier/mailbox-copier.ts'
import { run } from '../../packages/server/src/infra/process/run.ts'
import { mailbox, openImap, readInbox, servedDomain, startTestMail, type TestMail } from './servers.harness.ts'
import { createHandMadeAuthority, type HandMadeAuthority } from '../support/openssl.ts'
import { freePort } from '../../packages/server/test/support/ports.ts'
import { type ImapSource, messageOf, sourcePassword, startImapSource } from '../support/imap-source.ts'

/** Copies between two real Dovecot servers in the sandboxed process, which has only two sockets. */
let source: ImapSource
let authority: HandMadeAuthority
let rootPem: string
let mail: TestMail
let users = 0
beforeAll(async () => {
  ;[source, mail, authority] = await Promise.all([startImapSource(), startTestMail(), createHandMadeAuthority()])
  rootPem = authority.rootPem
  const names = Array.from({ length: 50 }, (_, at) => `user${at}`)
  await mail.server.putDomain(await servedDomain('here.test', names))
})
afterAll(async () => {
  await source?.close()
  await mail?.close()
  await authority?.close()
})

const newUser = () => `user${users++}`
const copierWith = (more: Partial<Parameters<typeof createIsolatedCopier>[0]> = {}) =>
  createIsolatedCopier({
    run,
    directory: join(mail.paths.run, 'copies'),
    openMailbox: mail.server.openMailbox,
    allow: ['127.0.0.0/8', '::1'],
    own: [],
    maxMessageBytes: 4 * 2 ** 20,
    authorities: source.authority,
    ...more
  })

const taskOf = (user: string, more: Partial<CopyTask> = {}): CopyTask => ({
  id: user,
  source: { host: 'localhost', port: source.tlsPort, security: 'TLS', username: user, password: sourcePassword },
  address: `${user}@here.test`,
  folders: undefined,
  positions: [],
  ...more
})

interface Copying {
  copier?: ReturnType<typeof copierWith>
  /** Stops at this event, as a crash would, before the event is recorded. */
  stopAt?: (event: CopyEvent) => boolean
}

async function copy(task: CopyTask, { copier = copierWith(), stopAt = () => false }: Copying = {}) {
  const events: CopyEvent[] = []
  const stopped = new AbortController()
  const outcome = await copier.copy(task, {
    signal: stopped.signal,
    onEvent: async (event) => {
      if (stopAt(event)) stopped.abort()
      if (!stopped.signal.aborted) events.push(event)
    }
  })
  const positions = new Map(task.positions.map((position) => [position.path, position]))
  for (const event of events) if (event.type === 'position') positions.set(event.position.path, event.position)
  return { ...outcome, events, positions: [...positions.values()] as FolderPosition[] }
}

interface Copied {
  id: string | undefined
  flags: string[]
  date: string
  content: Buffer
}
async function here(user: string): Promise<Record<string, Copied[]>> {
  const client = await openImap(mail.ports.imaps, `${user}@here.test`)
  const found: Record<string, Copied[]> = {}
  for (const { path, flags } of await client.list()) {
    if (flags.has('\\Noselect')) continue
    const { exists } = await client.mailboxOpen(path, { readOnly: true })
    found[path] = []
    if (exists === 0) continue
    for await (const message of client.fetch('1:*', { uid: true, flags: true, internalDate: true, source: true }))
      found[path].push({
        id: /^Message-ID: <(.*)@/m.exec(message.source!.toString())?.[1],
        flags: [...message.flags!].filter((flag) => flag !== '\\Recent').sort(),
        date: new Date(message.internalDate!).toISOString(),
        content: message.source!
      })
  }
  await client.logout()
  return found
}
const idsOf = (messages: Copied[] | undefined) => messages?.map(({ id }) => id)

async function fill(user: string, folders: Record<string, number>, bytes = 300) {
  const client = await source.open(user)
  for (const [path, count] of Object.entries(folders)) {
    if (path !== 'INBOX') await client.mailboxCreate(path)
    for (let at = 0; at < count; at++)
      await client.append(
        path,
        messageOf(`${encodeURIComponent(path)}-${at}`, bytes),
        [],
        new Date(Date.UTC(2020, 1, 1 + (at % 28), 3, 4, at % 60))
      )
  }
  await client.logout()
}
const expectedIds = (path: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${encodeURIComponent(path)}-${at}`)

test('folders, flags, dates and content are copied; a repeat copies only new messages', async () => {
  const user = newUser()
  await fill(user, { INBOX: 3, 'Work/2026/Übung': 2, 'Sent Items': 2, 'Papierkorb/old': 1, 'All Mail': 1, 'v1.2': 1 })
  const client = await source.open(user)
  const flagged = messageOf('flagged', 3 * 2 ** 20, 'large and odd \u0000 \u00ff')
  await client.append('INBOX', flagged, ['\\Seen', '\\Flagged', '$Forwarded'], new Date('1999-12-31T23:59:59Z'))
  const first = await copy(taskOf(user))
  expect(first.problem).toBeUndefined()
  expect(first.events.find(({ type }) => type === 'planned')).toMatchObject({ folders: 5, messages: 10 })
  expect(first.events.filter(({ type }) => type === 'left-out')).toEqual([
    { type: 'left-out', folder: 'All Mail', reason: 'view', messages: 0 }
  ])
  const found = await here(user)
  expect(idsOf(found.INBOX)).toEqual([...expectedIds('INBOX', 3), 'flagged'])
  expect(idsOf(found['Work.2026.Übung'])).toEqual(expectedIds('Work/2026/Übung', 2))
  expect(idsOf(found.Sent)).toEqual(expectedIds('Sent Items', 2))
  expect(idsOf(found['Trash.old'])).toEqual(expectedIds('Papierkorb/old', 1))
  expect(idsOf(found['v1_2'])).toEqual(expectedIds('v1.2', 1))
  expect(found.INBOX![3]).toMatchObject({
    flags: ['$Forwarded', '\\Flagged', '\\Seen'],
    date: '1999-12-31T23:59:59.000Z'
  })
  expect(found.INBOX![0]!.content.equals(messageOf('INBOX-0'))).toBe(true)
  const [there] = await client.getMailboxLock('INBOX').then(async (lock) => {
    const all = await client.fetchAll('4', { source: true })
    lock.release()
    return all
  })
  expect(found.INBOX![3]!.content.equals(there!.source!)).toBe(true)

  await client.append('INBOX', messageOf('later'))
  await client.logout()
  const second = await copy(taskOf(user, { positions: first.positions }))
  expect(second.problem).toBeUndefined()
  expect(second.events.find(({ type }) => type === 'planned')).toMatchObject({ messages: 1 })
  expect(idsOf((await here(user)).INBOX)).toEqual([...expectedIds('INBOX', 3), 'flagged', 'later'])
})

describe('after an interruption', () => {
  const isProgress = (event: CopyEvent) => event.type === 'position' && event.messages > 0

  test('it continues without loss or duplicates, also with identical messages', async () => {
    const user = newUser()
    await fill(user, { INBOX: 60, Work: 60 })
    const client = await source.open(user)
    for (let at = 0; at < 3; at++) await client.append('INBOX', messageOf('twin'), [], new Date('2021-01-01T00:00:00Z'))
    await client.logout()
    let positions: FolderPosition[] = []
    let cuts = 0
    for (; ; cuts++) {
      const part = await copy(taskOf(user, { positions }), { stopAt: cuts < 5 ? isProgress : () => false })
      positions = part.positions
      if (part.problem === undefined) break
      expect(part.problem).toBe('aborted')
    }
    expect(cuts).toBeGreaterThan(1)
    const found = await here(user)
    expect(idsOf(found.INBOX)).toEqual([...expectedIds('INBOX', 60), 'twin', 'twin', 'twin'])
    expect(idsOf(found.Work)).toEqual(expectedIds('Work', 60))
  })

  test('mail delivered, moved or deleted here meanwhile stays as it is', async () => {
    const user = newUser()
    await fill(user, { INBOX: 60 })
    const first = await copy(taskOf(user), { stopAt: isProgress })
    expect(first.problem).toBe('aborted')
    const client = await openImap(mail.ports.imaps, `${user}@here.test`)
    await client.append('INBOX', messageOf('new-mail'))
    await client.logout()
    expect((await copy(taskOf(user, { positions: first.positions }))).problem).toBeUndefined()
    const ids = idsOf((await here(user)).INBOX)!
    expect([...ids].sort()).toEqual([...expectedIds('INBOX', 60), 'new-mail'].sort())
  })

  test('a source with a new UIDVALIDITY is compared with all local mail', async () => {
    const user = newUser()
    await fill(user, { INBOX: 5, Work: 5 })
    const { positions } = await copy(taskOf(user))
    const renumbered = positions.map((position) => ({ ...position, uidValidity: position.uidValidity - 1 }))
    const client = await source.open(user)
    await client.append('Work', messageOf('later'))
    await client.logout()
    expect((await copy(taskOf(user, { positions: renumbered }))).problem).toBeUndefined()
    const found = await here(user)
    expect(idsOf(found.INBOX)).toEqual(expectedIds('INBOX', 5))
    expect(idsOf(found.Work)).toEqual([...expectedIds('Work', 5), 'later'])
  })
})

describe('error reasons', () => {
  const outcomeOf = async (
    user: string,
    more: Partial<CopyTask['source']>,
    copier = copierWith(),
    task: Partial<CopyTask> = {}
  ) => {
    const one = taskOf(user, task)
    const { problem, detail } = await copy({ ...one, source: { ...one.source, ...more } }, { copier })
    return [problem, detail]
  }

  test('a wrong password, quoting the other server', async () => {
    expect(await outcomeOf(newUser(), { password: 'wrong' })).toEqual([
      'log-in-refused',
      expect.stringMatching(/auth/i)
    ])
  })

  test('an untrusted certificate or wrong name', async () => {
    const user = newUser()
    const strangers = createIsolatedCopier({
      run,
      directory: join(mail.paths.run, 'copies'),
      openMailbox: mail.server.openMailbox,
      allow: ['127.0.0.0/8'],
      own: [],
      maxMessageBytes: 1_000_000
    })
    expect((await outcomeOf(user, {}, strangers))[0]).toBe('certificate-refused')
    expect((await outcomeOf(user, { host: '127.0.0.1' }))[0]).toBe('certificate-refused')
  })

  test('STARTTLS is used if offered, never plain text', async () => {
    const user = newUser()
    await fill(user, { INBOX: 1 })
    expect((await outcomeOf(user, { port: source.port, security: 'STARTTLS' }))[0]).toBeUndefined()
    expect((await outcomeOf(user, { port: source.port, security: 'TLS' }))[0]).toBe('no-tls')
  })

  test.each([
    ['127.0.0.1', []],
    ['localhost', []],
    ['10.1.2.3', ['127.0.0.0/8']],
    ['169.254.169.254', []],
    ['::ffff:127.0.0.1', []],
    ['::1', []]
  ])('%s is not a public address', async (host, allow) => {
    expect(await outcomeOf(newUser(), { host }, copierWith({ allow }))).toEqual(['address-refused', undefined])
  })

  test('private addresses are refused, also behind a name', async () => {
    const own = copierWith({ allow: [], own: ['8.8.8.8'] })
    expect((await outcomeOf(newUser(), { host: '8.8.8.8' }, own))[0]).toBe('address-refused')
    const half = copierWith({ allow: [], addressesOf: async () => ['8.8.4.4', '192.168.0.1'] })
    expect((await outcomeOf(newUser(), { host: 'half.example' }, half))[0]).toBe('address-refused')
  })

  test('unknown names and closed ports', async () => {
    expect((await outcomeOf(newUser(), { host: 'nobody.invalid' }))[0]).toBe('host-unknown')
    expect(await outcomeOf(newUser(), { port: 1 })).toEqual(['unreachable', 'ECONNREFUSED'])
  })

  test('a missing folder', async () => {
    const user = newUser()
    await fill(user, { Work: 1, Play: 1 })
    expect(await outcomeOf(user, {}, copierWith(), { folders: ['Work', 'Wrok'] })).toEqual(['folder-missing', 'Wrok'])
    expect(await outcomeOf(user, {}, copierWith(), { folders: ['Work'] })).toEqual([undefined, undefined])
    expect(Object.keys(await here(user))).toEqual(expect.not.arrayContaining(['Play']))
  })

  test('a full mailbox: copied mail is kept, and it continues with more room', async () => {
    const user = newUser()
    await mail.server.putDomain(
      await servedDomain('small.test', [], { mailboxes: [await mailbox(user, { quotaMb: 1 })] })
    )
    const address = `${user}@small.test`
    await fill(user, { INBOX: 30 }, 60_000)
    const first = await copy(taskOf(user, { address }))
    expect([first.problem, first.detail]).toEqual(['mailbox-full', expect.stringMatching(/quota/i)])
    const there = (await readInbox(mail.ports.imaps, address)).length
    expect(there).toBeGreaterThan(10)
    expect(there).toBeLessThan(20)
    await mail.server.putDomain(
      await servedDomain('small.test', [], { mailboxes: [await mailbox(user, { quotaMb: 10 })] })
    )
    expect((await copy(taskOf(user, { address, positions: first.positions }))).problem).toBeUndefined()
    const ids = (await readInbox(mail.ports.imaps, address)).map((message) => /^Message-ID: <(.*)@/m.exec(message)?.[1])
    expect(ids).toEqual(expectedIds('INBOX', 30))
  })

  test('a message that is too large is skipped and counted', async () => {
    const user = newUser()
    await fill(user, { INBOX: 2 })
    const client = await source.open(user)
    await client.append('INBOX', messageOf('huge', 5 * 2 ** 20))
    await client.append('INBOX', messageOf('last'))
    await client.logout()
    const { problem, events } = await copy(taskOf(user))
    expect(problem).toBeUndefined()
    expect(events).toContainEqual({ type: 'left-out', folder: 'INBOX', reason: 'message-too-large', messages: 1 })
    expect(idsOf((await here(user)).INBOX)).toEqual([...expectedIds('INBOX', 2), 'last'])
  })

  test('a missing local mailbox', async () => {
    expect((await outcomeOf(newUser(), {}, copierWith(), { address: 'nobody@here.test' }))[0]).toBe(
      'mail-server-unavailable'
    )
  })
})

/** An IMAP server that accepts any login and then responds as given; `answer` gets each command, tag first. */
async function hostileSource(
  answer: (tag: string, command: string, socket: TLSSocket) => void
): Promise<{ port: number; close(): void }> {
  const { chain, keyPem } = await authority.issue({ names: ['localhost'] })
  const sockets = new Set<TLSSocket>()
  const server = createServer({ cert: chain, key: keyPem }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write('* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR] hello\r\n')
    const lines = createInterface({ input: socket })
    lines.on('error', () => {})
    lines.on('line', (line) => {
      const [tag = '', name = '', ...rest] = line.split(' ')
      if (/^(AUTHENTICATE|LOGIN|ID|NAMESPACE|CAPABILITY)$/i.test(name)) socket.write(`${tag} OK done\r\n`)
      else answer(tag, [name, ...rest].join(' '), socket)
    })
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
}

/** Writes as long as the client reads, using one chunk of memory. */
function flood(socket: TLSSocket, chunk: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', more)
  more()
}

const listed = (tag: string, ...names: string[]) =>
  `${names.map((name) => `* LIST () "/" "${name}"\r\n`).join('')}${tag} OK done\r\n`
const opened = (tag: string, exists: number) =>
  `* ${exists} EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n* OK [UIDNEXT ${exists + 1}] x\r\n${tag} OK [READ-ONLY] done\r\n`

const commandsOf =
  (more: Partial<Record<'LIST' | 'EXAMINE' | 'SIZES' | 'BODY', (tag: string, socket: TLSSocket) => void>>) =>
  (tag: string, command: string, socket: TLSSocket) => {
    const [name] = command.split(' ')
    if (name === 'LIST') (more.LIST ?? (() => socket.write(listed(tag, 'INBOX'))))(tag, socket)
    else if (name === 'EXAMINE') (more.EXAMINE ?? (() => socket.write(opened(tag, 1))))(tag, socket)
    else if (command.includes('BODY')) (more.BODY ?? (() => socket.write(`${tag} OK done\r\n`)))(tag, socket)
    else if (command.includes('FETCH'))
      (
        more.SIZES ??
        (() =>
          socket.write(
            `* 1 FETCH (UID 1 RFC822.SIZE 100 FLAGS () INTERNALDATE "01-Feb-2020 03:04:05 +0000")\r\n${tag} OK done\r\n`
          ))
      )(tag, socket)
    else socket.write(`${tag} OK done\r\n`)
  }

describe('a malicious server', () => {
  const problemOf = async (
    answer: Parameters<typeof hostileSource>[0],
    more: Parameters<typeof copierWith>[0] = {}
  ) => {
    const server = await hostileSource(answer)
    try {
      const user = newUser()
      const task = taskOf(user)
      const before = process.memoryUsage().rss
      const result = await copy(
        { ...task, source: { ...task.source, port: server.port } },
        { copier: copierWith({ authorities: rootPem, ...more }) }
      )
      expect(process.memoryUsage().rss - before).toBeLessThan(300 * 2 ** 20)
      return { ...result, user }
    } finally {
      server.close()
    }
  }

  test.each<[string, Parameters<typeof commandsOf>[0]]>([
    [
      'folders without end',
      {
        LIST: (_tag, socket) =>
          flood(socket, '* LIST () "/" "a folder like any other, but there is no end of them"\r\n'.repeat(1000))
      }
    ],
    ['a line without end', { LIST: (_tag, socket) => flood(socket, 'x'.repeat(65536)) }],
    ['a literal of a terabyte', { LIST: (_tag, socket) => socket.write('* LIST () "/" {1099511627776}\r\n') }],
    [
      'a literal of more digits than there are',
      { SIZES: (_tag, socket) => socket.write(`* 1 FETCH (UID 1 X {${'9'.repeat(400)}}\r\n`) }
    ],
    ['brackets in brackets', { SIZES: (_tag, socket) => socket.write(`* 1 FETCH ${'('.repeat(1_000_000)}\r\n`) }],
    [
      'messages without end',
      {
        SIZES: (_tag, socket) => {
          let at = 0
          const more = () => {
            while (
              !socket.destroyed &&
              socket.write(Array.from({ length: 1000 }, () => `* 1 FETCH (UID ${++at} RFC822.SIZE 9)\r\n`).join(''))
            );
          }
          socket.on('drain', more)
          more()
        }
      }
    ],
    [
      'a body that is larger than was said',
      { BODY: (_tag, socket) => flood(socket, `* 1 FETCH (UID 1 BODY[] {4000000}\r\n${'x'.repeat(4_000_000)})\r\n`) }
    ]
  ])('%s: the import is given up without side effects', async (_what, commands) => {
    const { problem } = await problemOf(commandsOf(commands), { startMs: 4_000, stallMs: 4_000 })
    const expected = ['source-misbehaves', 'source-stalls', 'too-many-messages', 'too-many-folders', 'connection-lost']
    expect(expected).toContain(problem)
  })

  test('silence', async () => {
    expect((await problemOf(() => {}, { startMs: 2_000, stallMs: 2_000 })).problem).toBe('source-stalls')
    const drip = commandsOf({
      SIZES: (_tag, socket) => {
        const timer = setInterval(() => socket.write('x'), 200)
        socket.once('close', () => clearInterval(timer))
      }
    })
    expect((await problemOf(drip, { startMs: 2_000, stallMs: 2_000 })).problem).toBe('source-stalls')
  })

  test('a dropped connection', async () => {
    expect((await problemOf(commandsOf({ BODY: (_tag, socket) => socket.destroy() }))).problem).toBe('connection-lost')
  })

  test('a PREAUTH greeting without TLS', async () => {
    const plain = createPlainServer((socket) =>
      socket.on('error', () => {}).write('* PREAUTH [CAPABILITY IMAP4rev1] come in\r\n')
    )
    const port = await freePort()
    await new Promise<void>((resolve) => plain.listen(port, '127.0.0.1', resolve))
    const task = taskOf(newUser())
    const { problem } = await copy({ ...task, source: { ...task.source, port, security: 'STARTTLS' } })
    plain.close()
    expect(['no-tls', 'connection-lost']).toContain(problem)
  })

  test('folder names with special meaning', async () => {
    const names = [
      'INBOX',
      '../../../etc',
      'a/../..',
      '&AAA-x',
      '&broken',
      'tmp/cur',
      '~root',
      '%',
      'x'.repeat(400),
      'a\u0001b'
    ]
    const message = messageOf('one')
    const { problem, user } = await problemOf(
      commandsOf({
        LIST: (tag, socket) => socket.write(listed(tag, ...names)),
        BODY: (tag, socket) =>
          socket.write(
            Buffer.concat([
              Buffer.from(
                `* 1 FETCH (UID 1 FLAGS () INTERNALDATE "01-Feb-2020 03:04:05 +0000" BODY[] {${message.length}}\r\n`
              ),
              message,
              Buffer.from(`)\r\n${tag} OK done\r\n`)
            ])
          )
      })
    )
    expect(problem).toBeUndefined()
    const found = await here(user)
    expect(
      Object.values(found)
        .flat()
        .filter(({ id }) => id === 'one').length
    ).toBeGreaterThan(5)
    for (const path of Object.keys(found)) expect(path).not.toMatch(/[/%*\\]|\.\.|\p{Cc}/u)
    const outside = await run(
      ['find', join(mail.paths.mail, 'here.test'), '-mindepth', '1', '-maxdepth', '1', '-not', '-name', 'user*'],
      { timeoutMs: 10_000 }
    )
    expect(outside.stdout).toBe('')
  })
})
