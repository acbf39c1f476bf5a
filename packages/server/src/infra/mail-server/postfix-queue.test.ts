import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { AdapterError } from '../adapter-error.ts'
import { ProcessError, type Run } from '../process/process.ts'
import { createPostfixQueue } from './postfix-queue.ts'

// Error output of Postfix 3.7 while it is down, and the arguments given to its commands. The real commands run in
// e2e/mail/queue.test.ts.

const id = '4jXzYh19STzXS6P'
const log = "postsuper: fatal: open logfile '/var/lib/panel-0/mail/log/mail.log': cannot open file: Permission denied"

interface Answer {
  stdout?: string
  stderr?: string
  exitCode?: number
}

/** A queue whose commands return these answers, and the calls made. */
function queueOf(...answers: Answer[]) {
  const given: string[][] = []
  const run: Run = async (argv, { stdout: target }) => {
    const { stdout = '', stderr = '', exitCode = 0 } = answers[Math.min(given.length, answers.length - 1)]!
    given.push([...argv])
    if (target instanceof Writable) target.write(Buffer.from(stdout))
    if (exitCode !== 0) throw new ProcessError(`${argv[0]}: exited with ${exitCode}`, 'failed', exitCode, stderr)
    return { stdout, stderr }
  }
  const queue = createPostfixQueue({
    directory: '/var/lib/panel-0/mail',
    certificateDirectory: '/run/panel-0/mail',
    run
  })
  return { queue, given }
}
const postfix = ['-c', '/var/lib/panel-0/mail/postfix']

describe.each([
  ['delete', '-d', 'removed', 'Deleted'],
  ['hold', '-h', 'placed on hold', 'Placed on hold'],
  ['release', '-H', 'released from hold', 'Released from hold']
] as const)('%s', (verb, option, words, sum) => {
  test.each<[string, Answer, boolean]>([
    ['done', { stderr: `postsuper: ${id}: ${words}\npostsuper: ${sum}: 1 message\n` }, true],
    ['done while Postfix is down', { stderr: `postsuper: ${id}: ${words}\n${log}\n`, exitCode: 1 }, true],
    ['nothing to do', { stderr: `postsuper: ${sum}: 0 messages\n` }, false],
    ['done to another one', { stderr: `postsuper: AB35826644F: ${words}\npostsuper: ${sum}: 1 message\n` }, false]
  ])('%s', async (_, answer, expected) => {
    const { queue, given } = queueOf(answer)
    expect(await queue[verb](id)).toBe(expected)
    expect(given).toEqual([['postsuper', ...postfix, option, id]])
  })

  test('a failed command is not reported as "nothing to do"', async () => {
    const { queue } = queueOf({ stderr: `${log}\n`, exitCode: 1 })
    await expect(queue[verb](id)).rejects.toThrow(AdapterError)
  })

  test.each(['ALL', '-', '--help', `${id} ${id}`, `${id}\n`])('no program is given %j', async (text) => {
    const { queue, given } = queueOf({})
    expect(await queue[verb](text)).toBe(false)
    expect(given).toEqual([])
  })
})

describe('find', () => {
  const absent = { stderr: `postcat: fatal: open queue file ${id}: No such file or directory\n`, exitCode: 1 }
  const there = { stdout: `*** ENVELOPE RECORDS deferred/2/${id} ***\nsender: ann@one.test\n` }
  const argv = ['postcat', ...postfix, '-e', '-q', id]

  test('one that goes to another queue while it is looked for', async () => {
    const { queue, given } = queueOf(absent, there)
    expect(await queue.find(id)).toEqual({ queue: 'deferred', sender: 'ann@one.test' })
    expect(given).toEqual([argv, argv])
  })

  test('one that is not there', async () => {
    const { queue, given } = queueOf(absent)
    expect(await queue.find(id)).toBeUndefined()
    expect(given).toEqual([argv, argv])
  })

  test('of one to very many, the beginning is enough', async () => {
    const { queue } = queueOf({ stdout: there.stdout + 'recipient: x@y.test\n'.repeat(100_000) })
    expect(await queue.find(id)).toEqual({ queue: 'deferred', sender: 'ann@one.test' })
  })

  test('no answer is not "not there"', async () => {
    const { queue } = queueOf({ stderr: 'postcat: fatal: open /etc/postfix/main.cf: Permission denied\n', exitCode: 1 })
    await expect(queue.find(id)).rejects.toThrow(AdapterError)
  })
})

test('flushes, and where Postfix is down', async () => {
  const { queue, given } = queueOf({})
  await queue.flush(id)
  await queue.flushAll()
  await queue.flush('ALL')
  expect(given).toEqual([
    ['postqueue', ...postfix, '-i', id],
    ['postqueue', ...postfix, '-f']
  ])
  const down = queueOf({ stderr: 'postqueue: fatal: Cannot flush mail queue - mail system is down\n', exitCode: 69 })
  await expect(down.queue.flush(id)).rejects.toMatchObject({ kind: 'mail-server-unavailable' })
  await expect(down.queue.flushAll()).rejects.toMatchObject({ kind: 'mail-server-unavailable' })
})
