import { once } from 'node:events'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../process/run.ts'
import { toFrame } from './frame.ts'
import { serveVerbs } from './serve-verbs.ts'
import type { SocketVerb, VerbCall } from './verb.ts'
import { createVerbClient, type VerbClient } from './verb-client.ts'

class Known extends Error {}
const errors = {
  encode: (error: unknown) => (error instanceof Known ? { sentence: error.message } : undefined),
  decode: (data: unknown) => new Known((data as { sentence: string }).sentence)
}

let scratch: string
let path: string
const clients: VerbClient[] = []
beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'panel-socket-'))
  path = join(scratch, 'worker', 'socket')
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await rm(scratch, { recursive: true })
})

const isNumber = (args: unknown) => {
  if (Array.isArray(args) && args.length === 1 && typeof args[0] === 'number' && args[0] <= 1000) return args
  throw new TypeError('not one number')
}
const anything = (args: unknown) => args as unknown[]
const block = Buffer.alloc(64 * 1024, 'x')

describe('verb socket', () => {
  let failures: unknown[]
  let events: string[]
  const verbs = new Map<string, SocketVerb>(
    Object.entries<SocketVerb>({
      'example.double': { parse: isNumber, run: async ([number]) => (number as number) * 2 },
      'example.values': {
        parse: anything,
        run: async () => ({ at: new Date(5), sizes: new Map([['a', 1]]), nothing: undefined })
      },
      'example.forget': { parse: anything, run: async () => undefined },
      'example.refuse': { parse: anything, run: () => Promise.reject(new Known('There is no such file')) },
      'example.fail': { parse: anything, run: () => Promise.reject(new Error('the password is hunter2')) },
      'example.length': { parse: anything, run: async (_, { input }) => (await buffer(input)).length },
      'example.refuseEarly': { parse: anything, run: () => Promise.reject(new Known('not there')) },
      'example.blocks': {
        parse: isNumber,
        run: async ([count]) => ({ name: 'blocks', stream: Readable.from(blocks(count as number)) })
      },
      'example.break': {
        parse: anything,
        run: async () => ({
          stream: Readable.from(
            (async function* () {
              yield block
              await sleep(20)
              throw new Error('the disk is gone')
            })()
          )
        })
      },
      'example.answer': {
        parse: anything,
        run: async (_, { input }) => ({ question: '?', stream: Readable.from(reply(input)) })
      },
      'example.wait': {
        parse: anything,
        run: (_, { signal }: VerbCall) =>
          new Promise((_resolve, reject) => {
            events.push('waits')
            signal.addEventListener('abort', () => {
              events.push('given up')
              reject(new Error('given up'))
            })
          })
      }
    })
  )
  async function* blocks(count: number) {
    try {
      for (let sent = 0; sent < count; sent++) {
        events.push('sent')
        yield block
      }
    } finally {
      events.push('closed')
    }
  }
  async function* reply(input: Readable) {
    yield `you said ${await text(input)}`
  }
  beforeEach(() => {
    failures = []
    events = []
  })
  const serve = (gid?: number) =>
    serveVerbs(verbs, { path, gid, errors, onFailure: (verb, error) => failures.push([verb, error]) })
  const open = () => {
    const client = createVerbClient({ path, errors, unavailable: (cause) => new Known(`away: ${String(cause)}`) })
    clients.push(client)
    return client
  }

  test('returns results unchanged, also of concurrent calls', async () => {
    const worker = await serve()
    const client = open()
    const numbers = Array.from({ length: 200 }, (_, index) => index)
    expect(await Promise.all(numbers.map((number) => client.ask('example.double', [number])))).toEqual(
      numbers.map((number) => number * 2)
    )
    expect(await client.ask('example.forget', [])).toBeUndefined()
    expect(await client.ask('example.values', [])).toEqual({
      at: new Date(5),
      sizes: new Map([['a', 1]]),
      nothing: undefined
    })
    await worker.close()
  })

  test('passes on known errors and hides others', async () => {
    const worker = await serve()
    const client = open()
    await expect(client.ask('example.refuse', [])).rejects.toEqual(new Known('There is no such file'))
    await expect(client.ask('example.fail', [])).rejects.toEqual(new Error('The other process failed in example.fail'))
    expect(failures).toEqual([['/example.fail', new Error('the password is hunter2')]])
    await worker.close()
  })

  test('uploads a stream of any length', async () => {
    const worker = await serve()
    const client = open()
    for (const count of [0, 1, 400])
      expect(
        await client.ask('example.length', [], { input: Readable.from(Array.from({ length: count }, () => block)) })
      ).toBe(count * block.length)
    await worker.close()
  })

  test('an interrupted upload reports its own error, a rejected one is not read further', async () => {
    const worker = await serve()
    const client = open()
    async function* broken() {
      yield block
      throw new Known('the client is gone')
    }
    await expect(client.ask('example.length', [], { input: Readable.from(broken()) })).rejects.toEqual(
      new Known('the client is gone')
    )
    const endless = Readable.from(
      (function* () {
        for (;;) yield block
      })()
    )
    await expect(client.ask('example.refuseEarly', [], { input: endless })).rejects.toEqual(new Known('not there'))
    expect(endless.destroyed).toBe(true)
    expect(await client.ask('example.double', [2])).toBe(4)
    await worker.close()
  })

  test('downloads a stream with back-pressure', async () => {
    const worker = await serve()
    const { name, stream } = (await open().ask('example.blocks', [1000])) as { name: string; stream: Readable }
    expect(name).toBe('blocks')
    await expect.poll(() => events.length).toBeGreaterThan(1)
    const before = await quiet(() => events.length)
    expect(before).toBeLessThan(200)
    expect((await buffer(stream)).length).toBe(1000 * block.length)
    await worker.close()
  })

  test('destroying a stream stops its source', async () => {
    const worker = await serve()
    const { stream } = (await open().ask('example.blocks', [1000])) as { stream: Readable }
    await once(stream, 'readable')
    stream.destroy()
    await expect.poll(() => events.at(-1)).toBe('closed')
    await worker.close()
  })

  test('an interrupted stream rejects', async () => {
    const worker = await serve()
    const { stream } = (await open().ask('example.break', [])) as { stream: Readable }
    await expect(buffer(stream)).rejects.toThrow()
    await worker.close()
  })

  test('a response may start before the request ends', async () => {
    const worker = await serve()
    const { value, input, stream } = await open().converse('example.answer', [])
    expect(value).toEqual({ question: '?' })
    input.end('hello')
    expect(await text(stream)).toBe('you said hello')
    await worker.close()
  })

  test('an aborted or timed-out call ends in the worker too', async () => {
    const worker = await serve()
    const client = open()
    const giveUp = new AbortController()
    const call = client.ask('example.wait', [], { signal: giveUp.signal })
    await expect.poll(() => events).toEqual(['waits'])
    giveUp.abort(new Known('gone home'))
    await expect(call).rejects.toEqual(new Known('gone home'))
    await expect.poll(() => events).toEqual(['waits', 'given up'])
    await expect(client.ask('example.wait', [], { timeoutMs: 50 })).rejects.toThrow('away')
    await expect.poll(() => events.at(-1)).toBe('given up')
    expect(failures).toEqual([])
    await worker.close()
  })

  const frame = (content: string) => toFrame(Buffer.from(content))
  test.each<[string, string, string, Buffer]>([
    ['another verb', 'POST', '/example.other', frame('[]')],
    ['a verb of every object', 'POST', '/example.toString', frame('[]')],
    ['another path', 'POST', '/example.double/..', frame('[1]')],
    ['another method', 'PUT', '/example.forget', frame('[]')],
    ['an argument that the verb does not take', 'POST', '/example.double', frame('[1001]')],
    ['one argument too many', 'POST', '/example.double', frame('[1,2]')],
    ['no JSON', 'POST', '/example.double', frame('[1')],
    ['less than was announced', 'POST', '/example.double', frame('[1]').subarray(0, -1)],
    ['more than there is memory for', 'POST', '/example.double', Buffer.from('ffffffff', 'hex')],
    ['nothing', 'POST', '/example.double', Buffer.alloc(0)]
  ])('%s is refused', async (_, method, verb, body) => {
    const worker = await serve()
    const status = await new Promise((resolve, reject) => {
      const outgoing = request({ socketPath: path, path: verb, method }, (incoming) => {
        incoming.resume()
        resolve(incoming.statusCode)
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
    expect(status).toBe(400)
    await worker.close()
  })

  test('calls fail without a worker and work again once it is back, despite a stale socket', async () => {
    const client = open()
    await expect(client.ask('example.double', [1])).rejects.toThrow('away')
    const first = await serve()
    expect(await client.ask('example.double', [1])).toBe(2)
    const input = new Readable({ read() {} })
    input.push('x')
    const uploading = client.ask('example.length', [], { input })
    uploading.catch(() => {})
    const waiting = client.ask('example.wait', [])
    waiting.catch(() => {})
    await expect.poll(() => events).toEqual(['waits'])
    await first.close()
    for (const call of [waiting, uploading]) await expect(call).rejects.toThrow('away')
    expect(input.destroyed).toBe(true)
    await expect(client.ask('example.double', [1])).rejects.toThrow('away')
    const second = await serve()
    expect(await client.ask('example.double', [2])).toBe(4)
    await second.close()
  })

  test.runIf(process.getuid?.() === 0)('of users of the machine only that of its group comes through', async () => {
    const gid = 64_123
    const worker = await serve(gid)
    expect((await stat(path)).mode & 0o777).toBe(0o660)
    await run(['chmod', '755', scratch], { timeoutMs: 10_000 })
    const script = `require('net').connect(${JSON.stringify(path)}).on('connect', () => { console.log('in'); process.exit() }).on('error', ({ code }) => { console.log(code); process.exit() })`
    const tryAs = async (group: number) =>
      (
        await run([process.execPath, '-e', script], { timeoutMs: 30_000, as: { uid: 64_124, gid: group } })
      ).stdout.trim()
    expect([await tryAs(gid), await tryAs(64_124)]).toEqual(['in', 'EACCES'])
    await worker.close()
  })
})

async function quiet(read: () => number): Promise<number> {
  for (let last = read(); ; last = read()) {
    await sleep(200)
    if (read() === last) return last
  }
}
