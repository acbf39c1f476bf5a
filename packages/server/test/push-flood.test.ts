import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Client, createTestPanel, type TestPanel } from './support/panel.ts'

// Limits: 26 MiB per delivery, twice that per address or account, 128 MiB in total.
const mebibyte = 1024 * 1024
const largest = 26 * mebibyte

let panel: TestPanel
let ann: Client
let port: number
const sockets: Socket[] = []
beforeAll(async () => {
  panel = await createTestPanel()
  ann = await panel.signUp('ann')
  await panel.app.listen({ port: 0, host: '127.0.0.1' })
  port = (panel.app.server.address() as AddressInfo).port
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => panel.close())

async function connected(owner = ann): Promise<{ id: string; secret: string }> {
  const { id } = await owner.createProject()
  const repository = { gitUrl: 'https://github.com/o/r', branch: 'main' }
  const answer = await owner.request('POST', `/api/projects/${id}/git/connect`, repository)
  return { id, secret: answer.json().webhookSecret }
}

/** Starts a delivery that announces the maximum size; the response is collected in `answer`. */
async function begin(projectId: string, localAddress: string, signature = `sha256=${'ab'.repeat(32)}`) {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  const started = { socket, answer: '' }
  socket.setEncoding('latin1').on('data', (text: string) => (started.answer += text))
  socket.on('error', () => {})
  await once(socket, 'connect')
  const head = [
    `POST /api/webhooks/gitprovider/${projectId} HTTP/1.1`,
    'host: x',
    'x-gitprovider-event: ping',
    `x-hub-signature-256: ${signature}`,
    `content-length: ${largest}`
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return started
}

/** Sends all but the last byte; waits until it was read or refused. */
async function sendMost(started: Awaited<ReturnType<typeof begin>>): Promise<void> {
  started.socket.write(Buffer.alloc(largest - 1, ' '))
  await expect.poll(() => started.answer !== '' || started.socket.writableLength === 0).toBe(true)
}

async function expectBusy(projectId: string, localAddress: string): Promise<void> {
  const started = await begin(projectId, localAddress)
  started.socket.write('x')
  await expect.poll(() => started.answer).toMatch(/^HTTP\/1.1 503 [^]*\r\nretry-after: 5\r\n/i)
}

const deliver = async ({ id, secret }: { id: string; secret: string }) => {
  const payload = '{}'
  const signature = `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`
  const headers = { 'x-gitprovider-event': 'ping', 'x-hub-signature-256': signature }
  const url = `/api/webhooks/gitprovider/${id}`
  return (await panel.app.inject({ method: 'POST', url, payload, headers, remoteAddress: '192.0.2.1' })).statusCode
}

describe('endless deliveries', () => {
  test('announced sizes do not count', async () => {
    const [mine, theirs] = [await connected(), await connected()]
    for (let n = 0; n < 20; n++) {
      const started = await begin(n % 2 === 0 ? theirs.id : 'nothing', `127.0.0.${2 + n}`)
      started.socket.write('x')
    }
    expect(await deliver(mine)).toBe(200)
    expect(await deliver(theirs)).toBe(200)
  })

  test('limits per address and account leave room for normal ones', async () => {
    const [first, sibling] = [await connected(), await connected()]
    const [second, third] = [await connected(await panel.signUp('bob')), await connected(await panel.signUp('carl'))]
    for (const project of [first, second]) await sendMost(await begin(project.id, '127.0.0.2'))
    await expectBusy(third.id, '127.0.0.2')
    await sendMost(await begin(first.id, '127.0.0.3'))
    await expectBusy(first.id, '127.0.0.4')
    await expectBusy(sibling.id, '127.0.0.4')
    const tooMuch = await begin(third.id, '127.0.0.5')
    tooMuch.socket.write(Buffer.alloc(largest - 1, ' '))
    await expect.poll(() => tooMuch.socket.destroyed).toBe(true)
    for (const project of [second, third]) expect(await deliver(project)).toBe(200)
  })

  test('one for an unknown project is drained and answered like a wrong signature', async () => {
    const project = await connected()
    for (let n = 0; n < 6; n++) await sendMost(await begin(`no-project-${n}`, '127.0.0.2'))
    const [unknown, known] = [await begin('nothing', '127.0.0.7'), await begin(project.id, '127.0.0.8')]
    for (const each of [unknown, known]) {
      await sendMost(each)
      each.socket.write(' ')
      await expect.poll(() => each.answer).toContain('SIGNATURE_INVALID')
    }
    const withoutDate = (answer: string) => answer.replace(/^date: .*$/im, '')
    expect(withoutDate(unknown.answer)).toBe(withoutDate(known.answer))
    expect(await deliver(project)).toBe(200)
  })
})
