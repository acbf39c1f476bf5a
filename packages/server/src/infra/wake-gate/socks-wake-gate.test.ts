import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSocksWakeGate } from './socks-wake-gate.ts'

const request = Buffer.from([4, 1, 0x1f, 0x90, 172, 29, 0, 2, ...Buffer.from('HAProxy'), 0])

let directory: string
let path: string
const opened: { close(): Promise<void> }[] = []
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gate-'))
  path = join(directory, 'wake.sock')
})
afterEach(async () => {
  for (const gate of opened.splice(0)) await gate.close()
  await rm(directory, { recursive: true, force: true })
})

const open = (wake: (endpoint: object) => Promise<void>) =>
  opened.push(createSocksWakeGate(path, { checkEveryMs: 20 }).open(wake))
const isOpen = () =>
  expect
    .poll(() =>
      knock(Buffer.from('GET / HTTP/1.1\r\n')).then(
        () => true,
        () => false
      )
    )
    .toBe(true)

async function knock(bytes: Buffer): Promise<Buffer> {
  const socket = connect(path)
  await once(socket, 'connect')
  socket.write(bytes)
  return buffer(socket)
}

test('a request waits until the site is awake, and is refused then', async () => {
  const woken: object[] = []
  let ready = () => {}
  open((endpoint) => {
    woken.push(endpoint)
    return new Promise((resolve) => (ready = resolve))
  })
  await isOpen()
  let answer: Buffer | undefined
  const knocked = knock(request).then((bytes) => (answer = bytes))
  await expect.poll(() => woken).toEqual([{ address: '172.29.0.2', port: 8080 }])
  expect(answer).toBeUndefined()
  ready()
  expect([...(await knocked)].slice(0, 2)).toEqual([0, 91])
})

test('a failure refuses too, and what is no request is hung up on', async () => {
  open(() => Promise.reject(new Error('no engine')))
  await isOpen()
  expect((await knock(request))[1]).toBe(91)
  expect(await knock(Buffer.from([5, 1, 0]))).toHaveLength(0)
})

test('a second process waits for the end of the first, and a new directory is found', async () => {
  const asked: string[] = []
  open(async () => void asked.push('first'))
  await isOpen()
  open(async () => void asked.push('second'))
  await knock(request)
  await opened.shift()!.close()
  await isOpen()
  await knock(request)
  expect(asked).toEqual(['first', 'second'])
  await rm(directory, { recursive: true })
  await mkdir(directory)
  await isOpen()
})
