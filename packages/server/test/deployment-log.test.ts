import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Deployment, DeploymentLogPiece } from '@panel/contract/deployments'
import { openDeploymentLog } from '../src/features/deployments/deployment-log.service.ts'
import { followDeploymentLog } from '../src/features/deployments/deployment-log-reading.service.ts'
import { appendLog, insertDeployment, moveDeployment } from '../src/features/deployments/deployments.repository.ts'
import { removeLogs } from '../src/features/deployments/log-retention.repository.ts'
import { newId } from '../src/security/ids.ts'
import { listen, liveTestClients } from './support/live.ts'
import { withResolvers } from './support/with-resolvers.ts'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

let panel: TestPanel
let url: string
let ann: Client
let bob: Client
let projectId: string
const live = liveTestClients(() => url)
beforeAll(async () => {
  panel = await createTestPanel()
  url = await listen(panel)
  await panel.signUp('admin')
  ann = await panel.signUp('ann')
  bob = await panel.signUp('bob')
  projectId = (await ann.createProject()).id
})
afterEach(() => live.close())
afterAll(() => panel.close())

const startDeployment = async () => {
  const { db } = panel.deps
  const values = { id: newId(Date.now()), projectId, userId: ann.user.id, trigger: 'MANUAL' } as const
  const { id } = await db.transaction((trx) => insertDeployment(trx, values))
  await moveDeployment(db, id, 'BUILDING', new Date())
  return id
}
const callerOf = ({ user }: Client) => ({ userId: user.id, role: user.role })
const append = (id: string, text: string) => appendLog(panel.deps.db, id, text)
const end = (id: string) => moveDeployment(panel.deps.db, id, 'FAILED', new Date())
const piece = async (id: string, after?: number, by = ann) => {
  const query = after === undefined ? '' : `?after=${after}`
  const answer = await by.request('GET', `/api/projects/${projectId}/deployments/${id}/log${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<DeploymentLogPiece>()
}
const tailOf = async (id: string, tail: number) => {
  const answer = await ann.request('GET', `/api/projects/${projectId}/deployments/${id}/log?tail=${tail}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<DeploymentLogPiece>()
}
const whole = async (id: string) =>
  (await ann.request('GET', `/api/projects/${projectId}/deployments/${id}`)).json<Deployment>().buildLogs

interface Sent {
  deploymentId: string
  offset: number
  text: string
  next: number
}
/** The received text; fails on gaps and duplicates. */
const joined = (sent: readonly Sent[], from = 0) => {
  let at = from
  for (const { offset, text, next } of sent) {
    expect([offset, next]).toEqual([at, at + Buffer.byteLength(text)])
    at = next
  }
  return sent.map(({ text }) => text).join('')
}

describe('a log from an offset', () => {
  test('is complete when read in chunks', async () => {
    const id = await startDeployment()
    const lines = Array.from({ length: 3_000 }, (_, number) => `line ${number} ä€😀 ${'x'.repeat(150)}\n`)
    for (let from = 0; from < lines.length; from += 70) await append(id, lines.slice(from, from + 70).join(''))
    const pieces: DeploymentLogPiece[] = []
    for (let after = 0; ; after = pieces.at(-1)!.next) {
      pieces.push(await piece(id, after))
      if (pieces.at(-1)!.text === '') break
    }
    expect(joined(pieces.slice(0, -1) as unknown as Sent[])).toBe(lines.join(''))
    expect(pieces.length).toBeGreaterThan(2)
    for (const { text } of pieces) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(256 * 1024 + 3)
    expect(pieces.at(-1)).toMatchObject({ complete: false, removed: false })
    await end(id)
    expect((await piece(id, pieces.at(-1)!.next)).complete).toBe(true)
    expect((await piece(id)).complete).toBe(false)
  })

  test('is empty past its end and says when it was removed', async () => {
    const id = await startDeployment()
    await append(id, 'short\n')
    expect(await piece(id, 1_000_000)).toEqual({
      offset: 1_000_000,
      text: '',
      next: 1_000_000,
      complete: false,
      removed: false
    })
    await end(id)
    await panel.deps.db.transaction((trx) => removeLogs(trx, [id], new Date()))
    expect(await piece(id)).toEqual({ offset: 0, text: '', next: 0, complete: true, removed: true })
  })

  test.each(['-1', '1.5', 'x', '9999999999999999'])('after=%s is refused', async (after) => {
    const id = await startDeployment()
    const answer = await ann.request('GET', `/api/projects/${projectId}/deployments/${id}/log?after=${after}`)
    expect(answer.statusCode).toBe(400)
  })

  test('starts with the last lines on request and returns their numbers', async () => {
    const id = await startDeployment()
    const lines = Array.from({ length: 3_000 }, (_, number) => `line ${number + 1} ä€😀 ${'x'.repeat(150)}\n`)
    const text = lines.join('')
    // Split at arbitrary positions, as programs write.
    const characters = [...text]
    for (let from = 0; from < characters.length; from += 10_001)
      await append(id, characters.slice(from, from + 10_001).join(''))
    const last = async (tail: number) => {
      const got = await tailOf(id, tail)
      expect(text.endsWith(got.text)).toBe(true)
      expect(got.text.startsWith(`line ${got.line} `)).toBe(true)
      expect(got).toMatchObject({
        offset: Buffer.byteLength(text) - Buffer.byteLength(got.text),
        next: Buffer.byteLength(text)
      })
      return got
    }
    expect(await last(1)).toMatchObject({ line: 3_000, complete: false, removed: false })
    expect((await last(100)).line).toBe(2_901)
    const most = await last(10_000)
    expect(Buffer.byteLength(most.text)).toBeLessThanOrEqual(256 * 1024)
    expect(most.line).toBeGreaterThan(1_000)
    await end(id)
    expect((await last(100)).complete).toBe(true)
  })

  test.each([
    [['a\nb\nc\n'], 2, 'b\nc\n', 2],
    [['a\nb\nc'], 2, 'b\nc', 2],
    [['a\nb'], 2, 'a\nb', 1],
    [['a\n', '\n'], 1, '\n', 2],
    [['\n', '\n'], 3, '\n\n', 1],
    [[], 3, '', 1]
  ])('of %j the last %i lines are %j', async (chunks, tail, text, line) => {
    const id = await startDeployment()
    for (const chunk of chunks) await append(id, chunk)
    expect(await tailOf(id, tail)).toMatchObject({ text, line, next: chunks.join('').length })
  })

  test('without a complete line in a chunk starts with the first chunk', async () => {
    const id = await startDeployment()
    await append(id, 'short\n')
    for (let n = 0; n < 30; n++) await append(id, 'x'.repeat(10_000))
    expect(await tailOf(id, 5)).toEqual({ ...(await piece(id)), line: 1 })
  })

  test.each(['0', '10001', 'x'])('tail=%s is refused', async (tail) => {
    const id = await startDeployment()
    const answer = await ann.request('GET', `/api/projects/${projectId}/deployments/${id}/log?tail=${tail}`)
    expect(answer.statusCode).toBe(400)
  })

  test('is omitted from lists on request', async () => {
    const id = await startDeployment()
    await append(id, 'in the list\n')
    const list = async (query: string) =>
      (await ann.request('GET', `/api/projects/${projectId}/deployments?limit=1${query}`)).json<{
        deployments: Deployment[]
      }>().deployments[0]
    expect(await list('')).toMatchObject({ id, buildLogs: 'in the list\n' })
    expect(await list('&logs=false')).toMatchObject({ id, buildLogs: null })
  })
})

describe('a followed log', () => {
  test('streams masked text and ends with the deployment', async () => {
    const id = await startDeployment()
    await append(id, 'before\n')
    const client = await live.connect({ cookie: ann.cookie })
    expect(await client.ask('subscribe:deployment-log', { deploymentId: id })).toMatchObject({ ok: true })
    const log = openDeploymentLog(panel.deps, id)
    log.hide([{ key: 'SECRET', value: 'hunter2-and-more' }])
    for (let line = 0; line < 50; line++) log.write(`line ${line} with hunter2-and-more\n`)
    await log.close()
    await expect.poll(() => client.of('deployment:log').length).toBeGreaterThan(0)
    await append(id, 'FAILED: for a reason\n')
    await end(id)
    await expect.poll(() => client.of('ended:deployment-log')).toHaveLength(1)
    expect(client.of('ended:deployment-log')).toEqual([{ id: expect.any(String) }])
    const text = joined(client.of('deployment:log') as Sent[])
    expect(text).toBe(await whole(id))
    expect(text).not.toContain('hunter2')
    expect(text).toContain('line 49')
  })

  test('resumes without gaps or duplicates', async () => {
    const id = await startDeployment()
    const first = await live.connect({ cookie: ann.cookie })
    await first.ask('subscribe:deployment-log', { deploymentId: id })
    for (let line = 0; line < 20; line++) await append(id, `first ${line} ä\n`)
    await expect.poll(() => first.of('deployment:log').length).toBeGreaterThan(3)
    first.socket.disconnect()
    const before = first.of('deployment:log') as Sent[]
    for (let line = 0; line < 20; line++) await append(id, `while away ${line}\n`)
    const second = await live.connect({ cookie: ann.cookie })
    const after = before.at(-1)!.next
    await second.ask('subscribe:deployment-log', { deploymentId: id, after })
    await append(id, 'last\n')
    await end(id)
    await expect.poll(() => second.of('ended:deployment-log')).toHaveLength(1)
    expect(joined(before) + joined(second.of('deployment:log') as Sent[], after)).toBe(await whole(id))
  })

  test('waits for a slow reader without blocking others', async () => {
    const id = await startDeployment()
    const reader = (take: () => Promise<void>) => {
      const sent: Sent[] = []
      const send = async (_: string, data: unknown) => {
        sent.push(data as Sent)
        await take()
      }
      const stop = new AbortController()
      const following = followDeploymentLog(
        panel.deps,
        { caller: callerOf(ann), send, signal: stop.signal },
        { deploymentId: id, after: 0 }
      )
      return { sent, following }
    }
    const gate = withResolvers()
    const slow = reader(() => gate.promise)
    const fast = reader(() => Promise.resolve())
    const line = `${'y'.repeat(999)}\n`
    for (let chunk = 0; chunk < 100; chunk++) await append(id, line.repeat(10))
    await end(id)
    await fast.following
    expect(joined(fast.sent)).toBe(line.repeat(1000))
    expect(slow.sent).toHaveLength(1)
    gate.resolve()
    await slow.following
    expect(joined(slow.sent)).toBe(line.repeat(1000))
    expect(slow.sent.length).toBeLessThan(40)
  })

  test('is limited to twenty per account', async () => {
    const id = await startDeployment()
    const stop = new AbortController()
    const follow = (by: Client) =>
      followDeploymentLog(
        panel.deps,
        { caller: callerOf(by), send: async () => {}, signal: stop.signal },
        { deploymentId: id, after: 0 }
      ).catch((error: unknown) => (error as { code?: string }).code ?? 'stopped')
    const mine = Array.from({ length: 20 }, () => follow(ann))
    expect(await follow(ann)).toBe('CONFLICT')
    const others = follow(bob)
    const client = await live.connect({ cookie: ann.cookie })
    expect(await client.ask('subscribe:deployment-log', { deploymentId: id })).toMatchObject({ ok: true })
    await expect.poll(() => client.of('ended:deployment-log')).toMatchObject([{ error: { code: 'CONFLICT' } }])
    await end(id)
    expect(await Promise.all([...mine, others])).toEqual(Array.from({ length: 21 }, () => undefined))
    expect(await follow(ann)).toBeUndefined()
  })

  test('requires an existing own deployment', async () => {
    const id = await startDeployment()
    const client = await live.connect({ cookie: bob.cookie })
    const ask = (data: unknown) => client.ask('subscribe:deployment-log', data)
    expect((await ask({ deploymentId: id })).error?.code).toBe('FORBIDDEN')
    expect((await ask({ deploymentId: 'none' })).error?.code).toBe('NOT_FOUND')
    expect((await ask({ deploymentId: id, after: -1 })).error?.code).toBe('VALIDATION_ERROR')
    await append(id, 'of ann\n')
    await end(id)
    expect(client.of('deployment:log')).toEqual([])
  })

  test('concurrent chunks are read in commit order', async () => {
    const id = await startDeployment()
    const sent: Sent[] = []
    const send = async (_: string, data: unknown) => void sent.push(data as Sent)
    const { signal } = new AbortController()
    const following = followDeploymentLog(
      panel.deps,
      { caller: callerOf(ann), send, signal },
      { deploymentId: id, after: 0 }
    )
    await Promise.all(Array.from({ length: 60 }, (_, number) => append(id, `writer ${number}\n`)))
    await end(id)
    await following
    expect(joined(sent)).toBe(await whole(id))
  })
})
