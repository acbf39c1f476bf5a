import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { AppError } from '../errors.ts'
import { messageOf } from '../text/message-of.ts'
import { createLogger } from './logger.ts'

function logged(write: (logger: ReturnType<typeof createLogger>) => void): {
  text: string
  lines: Record<string, unknown>[]
} {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    }
  })
  write(createLogger('info', stream))
  return {
    text,
    lines: text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  }
}

test('writes one JSON line per message', () => {
  const { lines } = logged((logger) => {
    logger.info({ project: 'p' }, 'two\nlines "quoted"')
    logger.debug('below the level')
    logger.error('broken')
  })
  expect(lines).toEqual([
    { level: 'info', time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/), project: 'p', msg: 'two\nlines "quoted"' },
    { level: 'error', time: expect.any(String), msg: 'broken' }
  ])
})

describe('secrets are redacted by name', () => {
  const names = [
    'password',
    'newPassword',
    'secret',
    'webhookSecret',
    'SESSION_SECRET',
    'token',
    'METRICS_TOKEN',
    'value',
    'cookie',
    'Set-Cookie',
    'authorization',
    'privateKey',
    'private_key',
    'ENCRYPTION_KEY'
  ]
  test.each(names)('%s, at the top level and four levels deep', (name) => {
    const { text, lines } = logged((logger) => {
      logger.info({ [name]: 'hidden', kept: 'shown' }, 'top')
      logger.info({ a: { b: [{ c: { d: { [name]: { x: 'hidden' }, kept: 'shown' } } }] } }, 'deep')
    })
    expect(text).not.toContain('hidden')
    expect(text.match(/shown/g)).toHaveLength(2)
    expect(lines[0]).toHaveProperty(name, '[redacted]')
  })

  test('handles lists, dates and cycles', () => {
    const loop: Record<string, unknown> = { at: new Date(0), list: [1, 'two', null] }
    loop.self = loop
    const { lines } = logged((logger) => logger.info(loop, 'loop'))
    expect(lines[0]).toMatchObject({ at: '1970-01-01T00:00:00.000Z', list: [1, 'two', null], msg: 'loop' })
  })
})

describe('requests and errors', () => {
  test('logs method and path of a request, without query, headers and body', () => {
    const req = {
      id: '1',
      method: 'GET',
      url: '/a?token=hidden',
      ip: '::1',
      headers: { cookie: 'hidden' },
      body: { password: 'hidden' }
    }
    const { lines, text } = logged((logger) =>
      logger.info({ req, res: { statusCode: 200, headers: { 'set-cookie': 'hidden' } } }, 'request')
    )
    expect(lines[0]).toMatchObject({ req: { id: '1', method: 'GET', path: '/a', ip: '::1' }, res: { status: 200 } })
    expect(text).not.toContain('hidden')
  })

  test('omits extra properties of errors and their causes', () => {
    const cause = Object.assign(new Error('connect failed'), {
      code: 'ECONNREFUSED',
      connectionString: 'postgres://u:hidden@h'
    })
    const { lines, text } = logged((logger) =>
      logger.error({ err: new AppError('INTERNAL', 'outer', { cause }) }, 'failed')
    )
    expect(lines[0]!.err).toMatchObject({
      type: 'AppError',
      message: 'outer',
      code: 'INTERNAL',
      stack: expect.any(String),
      cause: { message: 'connect failed', code: 'ECONNREFUSED' }
    })
    expect(text).not.toContain('hidden')
  })

  test('omits the values and stack of a failed query', () => {
    const cause = Object.assign(new Error('duplicate key value'), {
      code: '23505',
      detail: 'Key (email)=(hidden) exists'
    })
    const error = new DrizzleQueryError('insert into users values ($1)', ['hidden'], cause)
    const { lines, text } = logged((logger) => {
      logger.error({ err: error }, 'query')
      logger.error({ err: new AppError('INTERNAL', 'outer', { cause: error }) }, 'wrapped')
      logger.error({ nested: { error } }, 'nested')
      logger.error({ error: messageOf(error) }, 'by message')
      logger.error(error)
    })
    expect(lines).toHaveLength(5)
    expect(text).not.toContain('hidden')
    expect(lines[0]!.err).toMatchObject({ message: 'query failed: duplicate key value', cause: { code: '23505' } })
  })

  test('handles any thrown value', () => {
    const { lines } = logged((logger) => logger.error({ err: 'a string' }, 'thrown'))
    expect(lines[0]!.err).toEqual({ type: 'string', message: 'a string' })
  })
})
