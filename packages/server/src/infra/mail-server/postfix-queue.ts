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
  /** For each command on one message. Default 30 s. */
  timeoutMs?: number
}

type Tool = 'postqueue' | 'postsuper' | 'postcat'

/** On a busy machine, 100,000 messages took twenty seconds. */
const listTimeoutMs = 120_000

/** What postsuper(1) says of a message that it has found so; nothing where there was nothing to do, and it ends well then too. */
const done = { '-d': 'removed', '-h': 'placed on hold', '-H': 'released from hold' } as const

/** The queue of the Postfix that the panel runs. */
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
      // While Postfix is down it does its work, and fails to write that into the log.
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
    // It looks into one queue after the other, and a message may go to one that it has seen just then.
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
  throw new AdapterError('mail-server-unavailable', 'The mail server does not answer', {
    cause,
    ...(reason === undefined ? {} : { reason })
  })
}

/** The beginning of what is written: an envelope names its sender there, and then may have thousands of recipients. */
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
