import { AdapterError } from '../adapter-error.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { type MailDirectories, mailPaths } from './mail-paths.ts'
import type { MailQueue } from './mail-queue.ts'
import { createQueueReader } from './postfix-queue-reader.ts'
import { isQueueId } from './queue-id.ts'

interface PostfixQueueOptions extends MailDirectories {
  run: Run
  /** For each command. Default 30 s: a queue may be long. */
  timeoutMs?: number
}

/** The queue of the Postfix that the panel runs. What postsuper(1) has done is in what it says: it ends well where it has done nothing. */
export function createPostfixQueue(options: PostfixQueueOptions): MailQueue {
  const { run, timeoutMs = 30_000 } = options
  const { directory } = mailPaths(options).postfix
  const call = async (
    program: 'postqueue' | 'postsuper',
    args: readonly string[],
    more: Partial<Parameters<Run>[1]> = {}
  ) => {
    try {
      return await run([program, '-c', directory, ...args], { timeoutMs, ...more })
    } catch (cause) {
      const reason = cause instanceof ProcessError ? `${cause.message} ${cause.stderr.trim().slice(-500)}` : undefined
      throw new AdapterError('mail-server-unavailable', 'The mail server does not answer', {
        cause,
        ...(reason === undefined ? {} : { reason })
      })
    }
  }
  const supervise = async (option: '-d' | '-h' | '-H', id: string, done: string): Promise<boolean> => {
    if (!isQueueId(id)) return false
    const { stderr } = await call('postsuper', [option, id])
    return new RegExp(`^postsuper: ${done}: [1-9]`, 'm').test(stderr)
  }
  return {
    async list(limit) {
      const reader = createQueueReader(limit)
      await call('postqueue', ['-j'], { stdout: reader.stream })
      return reader.result()
    },
    delete: (id) => supervise('-d', id, 'Deleted'),
    async flushAll() {
      await call('postqueue', ['-f'])
    },
    async flush(id) {
      if (!isQueueId(id)) return false
      // It would do nothing about one that is held or gone, and say nothing.
      const reader = createQueueReader(1, (message) => message.id === id)
      await call('postqueue', ['-j'], { stdout: reader.stream })
      const [found] = reader.result().messages
      if (!found || found.queue === 'hold') return false
      await call('postqueue', ['-i', id])
      return true
    },
    hold: (id) => supervise('-h', id, 'Placed on hold'),
    release: (id) => supervise('-H', id, 'Released from hold')
  }
}
