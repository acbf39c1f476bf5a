import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { isQueueId } from '@panel/contract/mail-queue'
import { AdapterError } from '../adapter-error.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { type MailDirectories, mailPaths } from './mail-paths.ts'
import type { MailQueue } from './mail-queue.ts'
import { parseEnvelope } from './postfix-envelope.ts'
import { createQueueReader } from './postfix-queue-reader.ts'

interface PostfixQueueOptions extends MailDirectories {
  run: Run
  timeoutMs?: number
}

type Tool = 'postqueue' | 'postsuper' | 'postcat'

/** Listing 100,000 messages took twenty seconds on a busy server. */
const listTimeoutMs = 120_000

/** Output of postsuper(1) on success. Without a change it prints nothing and also exits with 0. */
const done = { '-d': 'removed', '-h': 'placed on hold', '-H': 'released from hold' } as const

export function createPostfixQueue(options: PostfixQueueOptions): MailQueue {
  const { run, timeoutMs = 30_000 } = options
  const { directory, queue } = mailPaths(options).postfix
  const call = (program: Tool, args: readonly string[], more: Partial<Parameters<Run>[1]> = {}) =>
    run([program, '-c', directory, ...args], { timeoutMs, ...more })

  const supervise = async (option: keyof typeof done, id: string): Promise<boolean> => {
    if (!isQueueId(id)) return false
    const words = `postsuper: ${id}: ${done[option]}`
    const hasDone = (stderr: string) => stderr.split('\n').includes(words)
    return call('postsuper', [option, id]).then(
      ({ stderr }) => hasDone(stderr),
      // While Postfix is down, postsuper works but fails to write to the log.
      (error: unknown) => (error instanceof ProcessError && hasDone(error.stderr)) || refuse(error)
    )
  }
  const find: MailQueue['find'] = async (id) => {
    const head = createHead()
    try {
      await call('postcat', ['-e', '-q', id], { stdout: head.stream })
    } catch (error) {
      if (error instanceof ProcessError && /: No such file or directory$/m.test(error.stderr)) return undefined
      return refuse(error)
    }
    return parseEnvelope(head.text())
  }
  return {
    async list(limit, isWanted) {
      const reader = createQueueReader(limit, isWanted)
      await call('postqueue', ['-j'], { stdout: reader.stream, timeoutMs: listTimeoutMs }).catch(refuse)
      return reader.result()
    },
    // postcat searches one queue after the other; a message may move to one already searched. Hence twice.
    find: async (id) => (isQueueId(id) ? ((await find(id)) ?? (await find(id))) : undefined),
    async listHeld() {
      const names = await readdir(join(queue, 'hold')).catch(refuse)
      return new Set(names.filter(isQueueId))
    },
    delete: (id) => supervise('-d', id),
    async flushAll() {
      await call('postqueue', ['-f']).catch(refuse)
    },
    async flush(id) {
      if (isQueueId(id)) await call('postqueue', ['-i', id]).catch(refuse)
    },
    hold: (id) => supervise('-h', id),
    release: (id) => supervise('-H', id)
  }
}

function refuse(cause: unknown): never {
  const reason = cause instanceof ProcessError ? `${cause.message} ${cause.stderr.trim().slice(-500)}` : undefined
  throw new AdapterError('mail-server-unavailable', 'The mail server (Postfix) is not responding', {
    cause,
    ...(reason === undefined ? {} : { reason })
  })
}

/** Keeps only the beginning, which contains the sender; thousands of recipients may follow. */
function createHead(maxBytes = 64 * 1024) {
  const chunks: Buffer[] = []
  let bytes = 0
  const stream = new Writable({
    write(chunk: Buffer, _encoding, next) {
      if (bytes < maxBytes) chunks.push(chunk)
      bytes += chunk.length
      next()
    }
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}
